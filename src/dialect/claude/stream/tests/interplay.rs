//! A run as stream and as files.
