//! Names, namespaces, lambdas, application, signals and q-SQL.
pub mod host;
