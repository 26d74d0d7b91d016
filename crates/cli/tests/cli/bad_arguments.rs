//! Wrong use: exit code 2, and a message that says what to type instead.

use std::ffi::OsString;
use std::fs;

use crate::args;
use crate::harness::*;

#[test]
fn a_folder_has_no_url() {
    let folder = Folder::new();
    let site = folder.site(2);
    run(args!["clean", site, "--url", "https://a.example/"])
        .expect(2)
        .says(&["--url", "is a folder"]);
}

#[test]
fn wrong_values_are_refused_with_a_hint() {
    let folder = Folder::new();
    let site = folder.site(2);
    for (wrong, hints) in [
        (&["--method", "magic"][..], &["magic", "stream", "text"][..]),
        (&["-mstream", "--df", "1"], &["df is 1", "at least 2"]),
        (
            &["-mstream", "--ratio", "2"],
            &["ratio is 2", "between 0 and 1"],
        ),
        (&["-mstream", "--ratio", "NaN"], &["between 0 and 1"]),
        (&["-mstream", "--tb", "0"], &["tb is 0", "at least 1"]),
        (&["-mstream", "--n", "inf"], &["at most 1e9"]),
        (
            &["--df", "3"],
            &["--df belongs to the method stream", "add `--method stream`"],
        ),
        (&["--remove", "all"], &["`all`", "template", "boilerplate"]),
        (
            &["--favor", "speed"],
            &["`speed`", "`precision`", "`recall` (keep more)"],
        ),
        (
            &["--precision"],
            &["no --precision any more", "`--favor recall` to keep more"],
        ),
        (
            &["--recall", "-mchunks"],
            &["no --recall any more", "`--favor precision` to remove more"],
        ),
        (&["-mauto:lean=recall"], &["write `favor=precision`"]),
        (
            &["-mstream", "--remove", "template"],
            &["--remove belongs to the method auto", "add `--method auto`"],
        ),
        (
            &["-mchunks", "--favor", "recall"],
            &["--favor belongs to the method auto, not to chunks"],
        ),
        (
            &["--preset", "modern"],
            &["chunks, mdl and links", "not to auto"],
        ),
        (
            &["--method", "stream", "--separators", "dvi"],
            &["dvi", "table,div", "modern"],
        ),
        (&["--method", "stream", "--separators", ""], &["table,div"]),
        (&["--jobs", "0"], &["--jobs", "1..=1024"]),
        (&["--jobs", "many"], &["--jobs"]),
        (&["--commit-every", "0"], &["--commit-every", "1.."]),
        (&["--cluster", "mdl"], &["--cluster-by"]),
        (
            &["--site-from", "planet"],
            &["planet", "host, domain or folder"],
        ),
        (&["--format", "pdf"], &["pdf", "text", "html", "jsonl"]),
        (&["--comments", "yes"], &["yes", "drop, keep, only"]),
        (
            &["--comments", "only", "--method", "stream"],
            &["--comments needs the method `auto`", "leave out --method"],
        ),
        (
            &["--body-only", "--format", "html", "--marked"],
            &["--body-only", "--marked"],
        ),
        (&["--frobnicate"], &["--frobnicate", "--help"]),
        (&["-q", "-v"], &["cannot be used with"]),
    ] {
        let refused = run(with(&args!["clean", site], wrong))
            .expect(2)
            .says(hints);
        assert!(refused.stdout.is_empty(), "{wrong:?}");
    }
}

#[test]
fn wrong_inputs_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    let (site, out, state) = (folder.site(2), folder.path("out"), folder.path("s.unframe"));
    let missing = folder.path("site/no-such.html");
    for (inputs, hints) in [
        (vec![], &["<INPUT>", "--help"][..]),
        (
            args![missing].to_vec(),
            &["no-such.html", "not found", "hint"],
        ),
        (
            args![site, missing].to_vec(),
            &["no-such.html", "not found"],
        ),
        (
            args![site.join("*.xhtml")].to_vec(),
            &["*.xhtml", "matches no file", "**/*.html"],
        ),
        (args!["-", "-"].to_vec(), &["`-` is given twice"]),
    ] {
        let mut args: Vec<OsString> = args!["clean", "-o", out, "--state", state].to_vec();
        args.extend(inputs);
        run(args).expect(2).says(hints);
        assert!(!out.exists() && !state.exists());
    }
}

#[test]
fn output_inside_the_input_is_refused() {
    let folder = Folder::new();
    let site = folder.site(2);
    std::os::unix::fs::symlink(&site, folder.path("link")).unwrap();
    for out in [
        "site",
        "site/out",
        "site/../site/out",
        "link/out",
        "other/../site/a/b",
    ] {
        let run = run(args!["clean", site, "-o", folder.path(out)]);
        run.expect(2)
            .says(&["inside the input folder", "name one outside"]);
    }
    assert_eq!(tree(&site).len(), 2, "nothing was written");
    // Beside it is allowed, however it is spelled.
    run(args!["clean", site, "-o", folder.path("site/../texts")]).expect(0);
    assert_eq!(tree(&folder.path("texts")).len(), 2);
}

#[test]
fn an_output_folder_that_is_a_file_is_refused() {
    let folder = Folder::new();
    let file = folder.write("taken", "something dear");
    let refused = run(args!["clean", folder.site(2), "-o", file]);
    assert_ne!(refused.code, Some(0));
    refused.says(&["taken"]);
    assert_eq!(fs::read(file).unwrap(), b"something dear");
}

#[test]
fn states_that_are_not_there_or_there_already() {
    let folder = Folder::new();
    let state = folder.path("a.unframe");
    run(args!["clean", folder.site(6), "--state", state, "-q"]).expect(0);
    let missing = folder.path("missing.unframe");

    for command in ["show", "check"] {
        let refused = run(args!["state", command, missing]);
        refused
            .expect(2)
            .says(&["missing.unframe", "not found", "unframe clean"]);
    }
    let merge = run(args![
        "state",
        "merge",
        state,
        missing,
        "-o",
        folder.path("m.unframe")
    ]);
    merge.expect(2).says(&["missing.unframe", "not found"]);
    assert!(!missing.exists() && !folder.path("m.unframe").exists());

    let before = fs::read(&state).unwrap();
    let merge = run(args!["state", "merge", state, "-o", state]);
    merge.expect(2).says(&["exists", "new file", "-o"]);
    assert_eq!(
        fs::read(&state).unwrap(),
        before,
        "an existing file is not touched"
    );

    run(args!["state", "merge", state])
        .expect(2)
        .says(&["--out"]);
    run(args![
        "state",
        "merge",
        state,
        state,
        "-o",
        folder.path("m.unframe")
    ])
    .expect(2)
    .says(&["a.unframe", "twice"]);

    let shown = run(args!["state", "show", state, "--site-name", "nowhere"]).expect(1);
    shown.says(&["nowhere", "unframe state show FILE"]);

    // A state needs a folder to be in.
    let nowhere = folder.path("no/such/folder/s.unframe");
    let refused = run(args!["clean", folder.path("site"), "--state", nowhere]);
    assert_ne!(refused.code, Some(0));
    refused.says(&["no/such/folder/s.unframe"]);
}

#[test]
fn urls_are_not_fetched_and_the_message_says_what_does() {
    let url = "https://a.example/news?id=7";
    for command in ["clean", "dedup", "cluster"] {
        run(args![command, url]).expect(2).says(&[
            "a URL; pages are read from files, and nothing is fetched",
            "curl -sL 'https://a.example/news?id=7' | unframe clean - --url 'https://a.example/news?id=7'",
            "unframe template 'https://a.example/news?id=7'",
        ]);
    }
}

#[test]
fn a_state_must_be_a_file_in_a_folder_that_exists() {
    let folder = Folder::new();
    let site = folder.site(3);
    let clean = |state: &std::path::Path| run(args!["clean", site, "-q", "--state", state]);
    let done = clean(&folder.path("nodir/x"))
        .expect(2)
        .says(&["there is no folder", "nodir; create it first"]);
    assert!(!done.stderr.contains("unframe-partial"), "{}", done.stderr);
    clean(&folder.path("site"))
        .expect(2)
        .says(&["a folder, and a state is a file"]);
    let pipe = folder.path("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    clean(&pipe)
        .expect(2)
        .says(&["a pipe, socket or device, and a state is a file"]);
    run(args!["state", "show", pipe])
        .expect(2)
        .says(&["a pipe"]);
    run(args!["clean", site, "--dry-run", "--state", pipe])
        .expect(2)
        .says(&["a pipe"]);
    // An empty file is a new state for those who learn, and no state for those who look.
    let empty = folder.write("empty.unframe", "");
    run(args!["state", "show", empty])
        .expect(2)
        .says(&["an empty file", "unframe clean INPUT --state"]);
    run(args!["clean", site, "--dry-run", "--state", empty]).expect(0);
    clean(&empty).expect(0);
    run(args!["state", "show", empty]).expect(0);
}
