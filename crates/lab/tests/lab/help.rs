//! Help, and that the examples in it are true.

use std::process::Command;

use crate::BINARY;
use crate::harness::*;

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        &[][..],
        &["search-report"],
        &["bench"],
        &["whole"],
        &["reproduce"],
        &["reproduce", "chunks"],
        &["reproduce", "mdl"],
        &["reproduce", "stream"],
        &["fit"],
    ] {
        for flag in ["-h", "--help"] {
            let mut args = command.to_vec();
            args.push(flag);
            let help = run(&args).expect(0);
            let text = String::from_utf8(help.stdout).unwrap();
            assert!(text.contains("Usage:"), "{args:?}: {text}");
            assert!(text.contains("Examples:"), "{args:?}: {text}");
            assert!(help.stderr.is_empty());
        }
    }
}

#[test]
fn without_a_command_the_help_is_shown_and_it_is_wrong_use() {
    let none = run([""; 0]).expect(2);
    assert!(none.stderr.contains("Usage:"), "{}", none.stderr);
}

/// The examples as a user types them, in a shell, one after another in one folder.
#[test]
fn the_examples_of_the_help_run() {
    let folder = Folder::new();
    folder.site(6);
    let warc: Vec<u8> = (0..6)
        .flat_map(|n| warc_record(&format!("http://a.example/{n}"), page(n).as_bytes()))
        .collect();
    folder.write("crawl.warc.gz", warc);
    for example in [
        "unframe-lab search-report site/ && test -s search-report.html",
        "unframe-lab search-report crawl.warc.gz --remove template -o report.html",
        "unframe-lab search-report site/ --method chunks --preset ma-2003b -o chunks.html",
        "unframe-lab search-report site/ --json > report.json && test -s report.json",
        "unframe-lab whole site/ --list 20",
        "unframe-lab whole crawl.warc.gz --json > whole.json && test -s whole.json",
    ] {
        // A shell has no functions with a dash in their name.
        let example = example.replace("unframe-lab", &format!("'{BINARY}'"));
        let mut shell = Command::new("sh");
        shell.args(["-ec", &example]).current_dir(folder.path(""));
        let done = finish(start(shell));
        assert_eq!(done.code, Some(0), "{example}: {}", done.stderr);
    }
}
