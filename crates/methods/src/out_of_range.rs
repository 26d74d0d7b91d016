//! The error that all parameters share.

/// A parameter out of its range; the message says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is {value}, but must be {range}")]
pub struct OutOfRange {
    /// The parameter.
    pub name: &'static str,
    /// What was given.
    pub value: String,
    /// What is allowed.
    pub range: &'static str,
}
