//! dictionary
