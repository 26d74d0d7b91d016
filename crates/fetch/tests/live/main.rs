//! Tests the fetcher with a local server that shows every kind of behaviour.

mod caching;
mod hostile;
mod manners;
mod pages;
mod redirects;
mod server;
