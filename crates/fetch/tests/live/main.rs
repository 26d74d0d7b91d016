//! The fetcher against a server on this machine that behaves in every way there is.

mod caching;
mod hostile;
mod manners;
mod pages;
mod redirects;
mod server;
