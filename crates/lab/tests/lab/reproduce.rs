//! `unframe-lab reproduce` on the demo sites.

use std::path::Path;

use crate::args;
use crate::harness::*;

fn demo() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo")
}

#[test]
fn reports_are_written_with_their_plots() {
    let folder = Folder::new();
    for (paper, parts, plots) in [
        (
            "chunks",
            &[
                "ma-2003a",
                "ma-2003b",
                "modern",
                "Figure 3",
                "Figure 4",
                "harbour-shop",
            ][..],
            &[
                "sample-f1.svg",
                "sample-time.svg",
                "sample-ttdr.svg",
                "threshold-f1.svg",
                "threshold-ttdr.svg",
            ][..],
        ),
        (
            "mdl",
            &[
                "estimate",
                "ignore-singletons",
                "ends by itself at 3 clusters",
                "| 2 | 18 |",
            ],
            &[
                "agreement.svg",
                "clusters.svg",
                "mixtures.svg",
                "relative-time.svg",
                "time.svg",
            ],
        ),
        ("stream", &["93.81 %", "harbour-shop"], &["storage.svg"]),
    ] {
        let out = folder.path(paper);
        run(args!["reproduce", paper, demo(), "-o", out])
            .expect(0)
            .says(&["report.md"]);
        let mut files = tree(&out);
        let report = String::from_utf8(files.remove("report.md").unwrap()).unwrap();
        for part in parts {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert_eq!(files.keys().collect::<Vec<_>>(), plots);
        for (name, svg) in files {
            assert!(report.contains(&format!("]({name})")), "{name}: {report}");
            assert!(
                svg.starts_with(b"<svg") && svg.ends_with(b"</svg>\n"),
                "{name}"
            );
        }
        // A former report is replaced.
        run(args!["reproduce", paper, demo(), "-o", out]).expect(0);
        // Without a folder the text alone.
        let done = run(args!["reproduce", paper, demo()]).expect(0);
        let text = String::from_utf8(done.stdout).unwrap();
        assert!(text.contains("| set |") && !text.contains(".svg"), "{text}");
    }
}

#[test]
fn better_division_finds_more_of_the_demo() {
    let done = run(args!["reproduce", "chunks", demo()]).expect(0);
    let text = String::from_utf8(done.stdout).unwrap();
    let f1 = |preset: &str| {
        let row = text
            .lines()
            .find(|line| line.contains(&format!("| `{preset}` |")));
        let cell = row.unwrap().split('|').nth(9).unwrap();
        cell.trim()
            .parse::<f64>()
            .unwrap_or_else(|_| panic!("{row:?}"))
    };
    assert!(f1("modern") > f1("ma-2003a"), "{text}");
}

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new();
    let file = folder.write("taken", "something dear");
    for (args, hints) in [
        (args!["reproduce", "chunks"].to_vec(), &["CORPUS_DIR"][..]),
        (
            args!["reproduce", "chunks", folder.path("missing")].to_vec(),
            &["missing"],
        ),
        (
            args!["reproduce", "stream", demo(), "--recall", "2"].to_vec(),
            &["--recall is 2"],
        ),
        (
            args!["reproduce", "chunks", demo(), "-o", file].to_vec(),
            &["taken", "needs a folder"],
        ),
    ] {
        run(args).expect(2).says(hints);
    }
}
