//! Fits the model of method `auto`.
