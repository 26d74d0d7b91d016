//! Front matter is read back by a YAML parser as it was meant, whatever pages say.

use proptest::prelude::*;
use unframe_render::{FrontValue, front_matter};
use yaml_rust2::{Yaml, YamlLoader};

/// The fields as a parser reads them, and what follows the front matter.
fn parsed(text: &str) -> Yaml {
    let inner = text.strip_prefix("---\n").expect("begins with dashes");
    let (yaml, rest) = inner.split_once("\n---\n").expect("ends with dashes");
    assert_eq!(rest, "\n");
    let mut documents = YamlLoader::load_from_str(yaml).expect("is YAML");
    assert_eq!(documents.len(), 1, "{yaml}");
    documents.remove(0)
}

#[track_caller]
fn is_read_back(value: &str) {
    let fields = [
        ("title", FrontValue::Text(value.into())),
        (
            "flags",
            FrontValue::List(vec![value.into(), "drift".into()]),
        ),
    ];
    let found = parsed(&front_matter(&fields));
    assert_eq!(found["title"].as_str(), Some(value), "{value:?}");
    assert_eq!(found["flags"][0].as_str(), Some(value), "{value:?}");
    assert_eq!(found["flags"][1].as_str(), Some("drift"));
}

#[test]
fn texts_stay_texts() {
    for value in [
        "",
        " ",
        "no",
        "~",
        "null",
        "3.10",
        "1e3",
        "0x1F",
        "2024-05-01",
        "12:30",
        "- item",
        "a: b",
        "a #b",
        "#b",
        "'it''s'",
        "\"quoted\"",
        "back\\slash",
        "{a: b}",
        "[x]",
        "&anchor",
        "*alias",
        "!tag",
        "%TAG",
        "@at",
        "`tick`",
        "|",
        ">",
        "---",
        "...",
        "?",
        "two\nlines",
        "a\r\nb",
        "tab\tbed",
        "\u{0}\u{1}\u{1b}[2J\u{7f}",
        "\u{85}\u{2028}\u{2029}",
        "\u{feff}bom",
        "\u{fffe}\u{ffff}",
        "naïve 漢字 🦀",
        "trailing ",
        "=",
        "<<",
    ] {
        is_read_back(value);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_back(value in any::<String>()) {
        is_read_back(&value);
    }
}
