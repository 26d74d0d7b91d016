//! A long text in parts, as the reference server for fetching gives it.

/// The part from the character `start`, of at most `length` characters, with a note if there is more.
pub fn part(text: &str, start: usize, length: usize) -> String {
    let Some((from, _)) = text.char_indices().nth(start) else {
        return match text.is_empty() && start == 0 {
            true => "<error>The page has no text.</error>".into(),
            false => "<error>No more content available.</error>".into(),
        };
    };
    let rest = &text[from..];
    match rest.char_indices().nth(length) {
        None => rest.to_string(),
        Some((end, _)) => format!(
            "{}\n\n<error>Content truncated. Call the tool with a start_index of {} to get more content.</error>",
            &rest[..end],
            start + length
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        let text = "äöü𝄞 and more";
        assert_eq!(part(text, 0, 100), text);
        let first = part(text, 0, 4);
        assert!(first.starts_with("äöü𝄞\n\n<error>") && first.contains("start_index of 4 "));
        assert_eq!(part(text, 4, 100), " and more");
        assert_eq!(
            part(text, 13, 1),
            "<error>No more content available.</error>"
        );
        assert_eq!(part("", 0, 1), "<error>The page has no text.</error>");
    }
}
