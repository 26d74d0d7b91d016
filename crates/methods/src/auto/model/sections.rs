//! The sections of a model file, for whoever reads it and for the build script.

/// What stands before the forests, and they; the error says which section is missing.
pub fn sections(model: &str) -> Result<[&str; 3], &'static str> {
    let (head, rest) = model
        .split_once("[boilerplate]\n")
        .ok_or("there is no [boilerplate]")?;
    let (boilerplate, template) = rest
        .split_once("[template]\n")
        .ok_or("there is no [template]")?;
    Ok([head, boilerplate, template])
}
