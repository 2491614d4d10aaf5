//! What the Laws say of it: pure functions from facts to breaches.

pub(crate) mod array;
pub(crate) mod article_4;
pub(crate) mod handling;
pub(crate) mod picture;
pub(crate) mod rests_on;

pub use article_4::obligation;
