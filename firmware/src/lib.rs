//! From magnets to frames - scan, debounce and report for sensor boards.
