//! The native board protocol, no_std and without allocation.
