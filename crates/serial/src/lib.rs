//! K to bytes and back, as messages and files hold it, and the block compression of both.
