//! Whole boards but for the copper: simulated chips, as their data sheets describe them, through
//! scan, debounce and report to a listener.

mod dgt3000;
mod expander;
mod hall;
mod magnets;
mod matrix;
mod rig;
mod shift_register;
