//! Pages that are made to take long.

use std::time::Duration;

use super::render;
use crate::processor_time::processor_time;

#[test]
fn time_grows_with_the_page_only() {
    for (name, html) in [
        ("underscores", "_".repeat(400_000)),
        ("brackets", "[".repeat(200_000) + &"]".repeat(200_000)),
        ("dollars", "$a ".repeat(100_000)),
        ("tildes", "~".repeat(400_000)),
        ("angles", "&lt;a@".repeat(100_000)),
        ("lines", "<br>- a".repeat(60_000)),
        ("styles", "<b>a<i>b</b>c<s>d</i>e</s>".repeat(20_000)),
        ("raised", "<sup>a".repeat(60_000)),
        ("quotations", "<q>a".repeat(60_000)),
        (
            "gutters",
            "<pre>".to_string() + &"<span class=lineno>".repeat(60_000) + "a",
        ),
        ("lists", "<ul><li>a</li>".repeat(60_000)),
        (
            "cells",
            "<table><tr><th>a<th>b<tr><td>c<td>".to_string() + &"<ul><li>d".repeat(300),
        ),
    ] {
        let (found, taken) = processor_time(|| render(&html));
        assert!(
            !found.is_empty() && found.len() < 8_000_000,
            "{name}: {}",
            found.len()
        );
        println!("{name}: {taken:?}");
        assert!(taken < Duration::from_secs(10), "{name}: {taken:?}");
    }
}
