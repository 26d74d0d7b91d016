//! Sites of TECO's shape, scored by elements, and the thesis redone on them.

use serde_json::Value;

use crate::args;
use crate::harness::*;

/// Two sites of TECO's shape, one of them as a mirror has it, with the later names.
fn teco(folder: &Folder) -> std::path::PathBuf {
    for (site, prefix) in [("one/www.one.example", ""), ("two", "TECO_")] {
        for name in ["index", "a", "b", "c"] {
            let menu: String = ["index", "a", "b", "c"]
                .map(|to| format!("<li><a href={to}.html>Page {to}</a></li>"))
                .concat();
            let mark = |class: &str| match name {
                "index" => format!(" class='{prefix}{class}'"),
                _ => String::new(),
            };
            let own = if name == "index" {
                "<table><tr><td>x</table>"
            } else {
                "<h2>y</h2>"
            };
            let html = format!(
                "<html><head><title>t</title></head><body><ul id=menu>{menu}</ul><div id=main>\
                 <div{}>{own}</div><p{}>Words of {name}</p></div><p id=foot>Foot</p></body></html>",
                mark("notTemplate"),
                mark("notTemplate mainContent"),
            );
            folder.write(format!("teco/{site}/{name}.html"), html);
        }
    }
    folder.write("teco/notes/readme.txt", "nothing");
    folder.path("teco")
}

#[test]
fn bench_reads_teco() {
    let folder = Folder::new();
    let teco = teco(&folder);
    let done = run(args![
        "bench",
        teco,
        "--json",
        "-m",
        "links",
        "-m",
        "links:preset=alarte-2014"
    ]);
    let rows: Vec<Value> = serde_json::from_slice(&done.expect(0).stdout).unwrap();
    assert_eq!(rows.len(), 2);
    for row in &rows {
        let keys = row["keys"].as_array().unwrap();
        assert_eq!(keys.len(), 2);
        for key in keys {
            // html, head, title, body, ul, 4 × (li, a), two divs, foot; the div, the table's four
            // and the paragraph are the page's own.
            assert_eq!(
                (key["elements"].as_u64(), key["template"].as_u64()),
                (Some(21), Some(15))
            );
            assert_eq!(
                (key["loads"].as_u64(), key["pages"].as_u64()),
                (Some(3), Some(3))
            );
            assert_eq!(key["recall"], 1.0, "{key}");
        }
        // The paragraph and the division around the table are built as those of other pages, so
        // they are taken for template, and the table is not.
        assert_eq!(row["precision"].as_f64().unwrap(), 15.0 / 17.0, "{row}");
    }
    let table = run(args!["bench", teco, "--sites"])
        .expect(0)
        .says(&["these methods label texts"]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("one www.one.example/index.html"), "{table}");
    assert!(table.contains("two two.invalid/index.html"), "{table}");
}

#[test]
fn the_thesis_is_redone() {
    let folder = Folder::new();
    let teco = teco(&folder);
    let out = folder.path("report");
    run(args!["reproduce", "links", teco, "--most", "4", "-o", out]).expect(0);
    let mut files = tree(&out);
    let report = String::from_utf8(files.remove("report.md").unwrap()).unwrap();
    for part in [
        "2 key pages of 2 sites",
        "Table 5.1",
        "| t | n = 1 |",
        "modern",
        "menu by density",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(files.keys().collect::<Vec<_>>(), ["loads.svg", "votes.svg"]);
    // The demo has no labels of elements.
    let demo = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    run(args!["reproduce", "links", demo])
        .expect(2)
        .says(&["editable"]);
}
