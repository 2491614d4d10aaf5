//! Speaks to sensor boards, and simulates them.
