//! The service as a router, without a socket, and with one where connections are the subject.

mod answers;
mod cases;
mod durable;
mod harness;
mod limits;
