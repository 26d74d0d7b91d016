//! Fits the model of method `auto`: rows of numbers with targets enter, a
//! [`Forest`](unframe_methods::auto::Forest) leaves.

pub mod grow;
