//! The sections of a model file, for the reader and for the build script.

/// The forests of a model file, in order.
pub const FORESTS: [&str; 8] = [
    "boilerplate",
    "template",
    "comments",
    "article",
    "thread",
    "list",
    "record",
    "other",
];

/// The part before the forests, and the forests; the error names the missing section.
pub fn sections(model: &str) -> Result<(&str, [&str; FORESTS.len()]), String> {
    let cut = |text: &'_ str, name: &str| -> Result<(usize, usize), String> {
        let heading = format!("[{name}]\n");
        let at = text.find(&heading);
        let at = at.ok_or_else(|| format!("the section [{name}] is missing"))?;
        Ok((at, at + heading.len()))
    };
    let (end, mut from) = cut(model, FORESTS[0])?;
    let head = &model[..end];
    let mut found = [""; FORESTS.len()];
    for (number, section) in found.iter_mut().enumerate() {
        let rest = &model[from..];
        *section = rest;
        if let Some(next) = FORESTS.get(number + 1) {
            let (end, begin) = cut(rest, next)?;
            *section = &rest[..end];
            from += begin;
        }
    }
    Ok((head, found))
}
