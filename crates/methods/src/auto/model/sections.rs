//! The sections of a model file, for the reader and for the build script.

/// The part before the forests, and the two forests; the error names the missing section.
pub fn sections(model: &str) -> Result<[&str; 3], &'static str> {
    let (head, rest) = model
        .split_once("[boilerplate]\n")
        .ok_or("the section [boilerplate] is missing")?;
    let (boilerplate, template) = rest
        .split_once("[template]\n")
        .ok_or("the section [template] is missing")?;
    Ok([head, boilerplate, template])
}
