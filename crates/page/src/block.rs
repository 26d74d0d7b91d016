//! Blocks: the runs of segments between separator tags.

use std::str::FromStr;

use unframe_dom::{Dom, Tag};

use crate::segment::Segment;
use crate::tag_class::LAYOUT_CONTAINERS;

/// The tags whose start and end divide a page into blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separators(Vec<Tag>);

impl Separators {
    /// `table` and `div`, the two that Wang et al. (2008) name.
    pub fn table_and_div() -> Self {
        Separators(vec![Tag::TABLE, Tag::DIV])
    }

    /// [`LAYOUT_CONTAINERS`]: what lays out pages today.
    pub fn modern() -> Self {
        Separators(LAYOUT_CONTAINERS.to_vec())
    }

    /// The tags, in the order in which they were given.
    pub fn tags(&self) -> &[Tag] {
        &self.0
    }

    /// True if this tag divides.
    pub fn contains(&self, tag: Tag) -> bool {
        self.0.contains(&tag)
    }
}

impl std::fmt::Display for Separators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.0.iter().filter_map(|tag| tag.known_name()).collect();
        f.write_str(&names.join(","))
    }
}

/// Parses `modern`, or tag names separated by commas.
impl FromStr for Separators {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "modern" {
            return Ok(Separators::modern());
        }
        let mut tags = Vec::new();
        for name in text.split([',', '+']) {
            let name = name.trim().to_ascii_lowercase();
            let tag = Tag::known(&name)
                .filter(|tag| tag.is_element())
                .ok_or_else(|| {
                    format!(
                        "`{name}` is not an HTML element; write `modern` or tag names such as `table,div`"
                    )
                })?;
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        Ok(Separators(tags))
    }
}

/// The block of each segment, numbered from 0 in document order; blocks without text have none.
pub fn blocks(dom: &Dom, segments: &[Segment], separators: &Separators) -> Vec<u32> {
    // Two adjacent segments are in one block if no separator starts or ends between them.
    let mut borders = Vec::new();
    for (id, node) in dom.nodes().iter().enumerate() {
        if separators.contains(node.tag) && !node.foreign {
            borders.push(id as u32);
            borders.push(node.end);
        }
    }
    borders.sort_unstable();
    let mut found = Vec::with_capacity(segments.len());
    let (mut block, mut next_border) = (0, 0);
    for (at, segment) in segments.iter().enumerate() {
        let before = next_border;
        while next_border < borders.len() && borders[next_border] <= segment.node {
            next_border += 1;
        }
        if next_border > before && at > 0 {
            block += 1;
        }
        found.push(block);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Paths;
    use crate::segment::segments;
    use unframe_dom::{Limits, parse};

    #[test]
    fn separators_divide_at_start_and_end() {
        for (html, separators, expected) in [
            ("a<b>b</b>c", "table,div", vec![0, 0, 0]),
            ("a<div>b</div>c", "table,div", vec![0, 1, 2]),
            ("<div>a<div>b</div>c</div>", "div", vec![0, 1, 2]),
            ("<div>a</div><div></div><div>b</div>", "div", vec![0, 1]),
            ("<ul><li>a<li>b</ul><p>c", "table,div", vec![0, 0, 0]),
            ("<ul><li>a<li>b</ul><p>c", "modern", vec![0, 0, 1]),
            ("<table><tr><td>a<td>b</table>c", "table,div", vec![0, 0, 1]),
            ("<div></div>a", "div", vec![0]),
        ] {
            let dom = parse(html, &Limits::default());
            let segments = segments(&dom, &Paths::tags(&dom));
            let separators: Separators = separators.parse().unwrap();
            assert_eq!(blocks(&dom, &segments, &separators), expected, "{html}");
        }
    }

    #[test]
    fn separators_are_spelled() {
        assert_eq!("table,div".parse(), Ok(Separators::table_and_div()));
        assert_eq!("modern".parse(), Ok(Separators::modern()));
        assert_eq!(Separators::table_and_div().to_string(), "table,div");
        assert_eq!(
            Separators::modern().to_string(),
            "table,div,section,nav,header,footer,aside,main,article,form,ul,ol,dl"
        );
        let error = "table,dvi".parse::<Separators>().unwrap_err();
        assert!(
            error.contains("`dvi`") && error.contains("table,div"),
            "{error}"
        );
    }
}
