//! Help, and that the examples in it are true.

use std::process::Command;

use crate::BINARY;
use crate::args;
use crate::harness::*;

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        &[][..],
        &["clean"],
        &["why"],
        &["dedup"],
        &["cluster"],
        &["template"],
        &["rules"],
        &["state"],
        &["state", "show"],
        &["state", "check"],
        &["state", "merge"],
        &["search"],
        &["methods"],
        &["completions"],
        &["man"],
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

/// The names below `Commands:` in the help of a command, with those of its commands.
fn commands(above: &[&str]) -> Vec<String> {
    let help = run([above, &["--help"]].concat()).expect(0);
    let help = String::from_utf8(help.stdout).unwrap();
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for line in list.lines().take_while(|line| line.starts_with("  ")) {
        let name = line.split_whitespace().next().expect("a name");
        // Other lines go on with what a command does.
        if line.starts_with("   ") || name == "help" {
            continue;
        }
        let words = [above, &[name]].concat();
        found.push(words.join("-"));
        found.extend(commands(&words));
    }
    found
}

#[test]
fn completions_cover_all_commands() {
    let commands = commands(&[]);
    assert!(
        commands.contains(&"clean".to_string()) && commands.contains(&"state-show".to_string())
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = run(["completions", shell]).expect(0);
        let script = String::from_utf8(done.stdout).unwrap();
        for command in &commands {
            let name = command.rsplit('-').next().unwrap();
            assert!(script.contains(name), "{shell}: {name}");
        }
        assert!(script.contains("site-from"), "{shell}");
    }
    let help = run(["completions", "--help"]).expect(0);
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("> ~/.local/share/bash-completion/completions/unframe"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = Folder::new();
    let out = folder.path("man1");
    run(args!["man", "-o", out])
        .expect(0)
        .says(&["manual pages in"]);
    let pages = tree(&out);
    let mut expected = vec!["unframe.1".to_string()];
    expected.extend(commands(&[]).iter().map(|name| format!("unframe-{name}.1")));
    expected.sort();
    assert_eq!(pages.keys().cloned().collect::<Vec<_>>(), expected);
    for (name, page) in &pages {
        let page = String::from_utf8(page.clone()).unwrap();
        let words = name.trim_end_matches(".1").replace('-', "\\-");
        assert!(
            page.contains(".TH ") && page.contains(&words),
            "{name}: {page}"
        );
        assert!(page.contains(".SH OPTIONS"), "{name}: {page}");
    }
    let show = run(["man", "state", "show"]).expect(0);
    assert_eq!(show.stdout, pages["unframe-state-show.1"]);
    // The manual is complete; the help is not.
    let clean = String::from_utf8(run(["man", "clean"]).expect(0).stdout).unwrap();
    assert!(clean.contains("\\-\\-threshold") && clean.contains("unframe clean site/ \\-o texts/"));
    run(["man", "clear"])
        .expect(2)
        .says(&["no command `clear`", "clean, why"]);
    run(["man", "clean", "up"])
        .expect(2)
        .says(&["leave out `up`"]);
}

/// The parameters of the papers' methods are in a help of their own.
#[test]
fn parameters_of_methods_are_shown_on_request() {
    for (command, flags) in [
        (
            "clean",
            &[
                "--df <",
                "--threshold <",
                "--links <",
                "--mode-rule <",
                "--preset <",
            ][..],
        ),
        ("why", &["--df <", "--threshold <", "--links <"]),
        ("template", &["--t <", "--mode-rule <"]),
        ("cluster", &["--mode-rule <"]),
    ] {
        let shown = |flag: &str| {
            let help = run([command, flag]).expect(0);
            String::from_utf8(help.stdout).unwrap()
        };
        let (short, help, methods) = (shown("-h"), shown("--help"), shown("--help-methods"));
        assert!(help.contains("--help-methods"), "{command}: {help}");
        for flag in flags {
            assert!(methods.contains(flag), "{command} {flag}: {methods}");
            let is_usual = command == "template" && *flag == "--preset <";
            assert_eq!(help.contains(flag), is_usual, "{command} {flag}: {help}");
            assert_eq!(short.contains(flag), is_usual, "{command} {flag}: {short}");
        }
        assert!(!methods.contains("--jobs"), "{command}: {methods}");
    }
    let help = String::from_utf8(run(["clean", "--help"]).expect(0).stdout).unwrap();
    assert!(
        help.contains("--remove <") && help.contains("--favor <"),
        "{help}"
    );
    run(["clean", "--help-methods", "site"])
        .expect(2)
        .says(&["--help-methods"]);
}

/// The examples as a user types them, in a shell, one after another in one folder.
#[test]
fn the_examples_of_the_help_run() {
    let folder = Folder::new();
    folder.site(6);
    for n in 0..6 {
        folder.write(format!("sites/a/{n}.html"), page(n));
        folder.write(format!("sites/b/{n}.html"), page(n + 10));
        folder.write(format!("day2/{n}.html"), page(n + 20));
    }
    let warc: Vec<u8> = (0..6)
        .flat_map(|n| warc_record(&format!("http://a.example/{n}"), page(n).as_bytes()))
        .collect();
    folder.write("crawl.warc.gz", warc);
    let lines = jsonl_site("b.example", 0..6).replace("\"html\":", "\"body\":");
    folder.write("dump/1.jsonl", lines);
    folder.write("page.html", page(9));
    for name in ["index", "a", "b", "c"] {
        let menu = "<a href=index.html>i</a> <a href=a.html>a</a> <a href=b.html>b</a> <a \
                    href=c.html>c</a>";
        let html = format!("<div>{menu}</div><p>Story of {name}</p>");
        folder.write(format!("linked/{name}.html"), html);
    }
    for example in [
        "unframe clean site/ -o texts/ && test -s texts/p003.html.txt",
        "unframe clean site/ -o clean/ --format html && test -s clean/p003.html.html",
        "unframe clean crawl.warc.gz > pages.jsonl && test $(wc -l < pages.jsonl) = 6",
        "unframe clean crawl.warc.gz -o z.jsonl.zst --shard-size 256MB && test -s z-00000.jsonl.zst",
        "unframe clean crawl.warc.gz -o pages.parquet && test -s pages.parquet",
        "unframe clean crawl.warc.gz -o r.jsonl && unframe clean crawl.warc.gz -o r.jsonl --resume",
        "unframe clean 'dump/*.jsonl' --html-field body > d.jsonl && test $(wc -l < d.jsonl) = 6",
        "unframe clean crawl.warc.gz --dedup -o learned/ && test -s learned/a.example/3.txt",
        "unframe clean site/ --dry-run | grep -q 'nothing was written'",
        "unframe clean site/ --body-only -o bodies/ && test -s bodies/p003.html.txt",
        "unframe clean site/ --comments only -o comments/",
        "unframe clean site/ --protect '.licence, #faq' -o protected/",
        "unframe why site/p003.html --site site/",
        "unframe why site/p003.html --site site/ --only frame --details",
        "unframe why site/p003.html --site site/ --sort uncertainty | head",
        "unframe why site/p003.html --site site/ --text 'Printed and published'",
        "unframe why site/p003.html --site site/ --css 'h1, #foot'",
        "unframe why site/p003.html --site site/ --html why.html && test -s why.html",
        "unframe why http://a.example/3 --site crawl.warc.gz --json | grep -q rule",
        "unframe clean site/ --remove template -o template/ && test -s template/p003.html.txt",
        "unframe clean site/ --favor recall -o careful/ && test -s careful/p003.html.txt",
        "unframe dedup site/",
        "unframe dedup crawl.warc.gz -o pages/ && test -s pages/a.example/3.html",
        "unframe dedup crawl.warc.gz --json > groups.jsonl",
        "unframe dedup sites/ --site-from folder --across-sites",
        "unframe dedup site/ --hi 0.9",
        "unframe cluster site/",
        "unframe cluster crawl.warc.gz --report clusters.html && test -s clusters.html",
        "unframe cluster sites/ --mixed",
        "unframe cluster site/ --format jsonl --pages > c.jsonl && test $(wc -l < c.jsonl) = 7",
        "unframe cluster site/ --search estimate",
        "unframe cluster site/ --preset kim-shim",
        "unframe clean site/ --method mdl -o mdl/ && test -s mdl/p003.html.txt",
        "unframe template site/ > template.html && grep -q slot template.html",
        "unframe template site/ -o templates/ && test -s templates/site-0.html",
        "unframe template site/ --view page -o marked/ && test -s marked/site-0.html",
        "unframe template crawl.warc.gz --relative-to absolute --load-assets -o t/",
        "unframe template index.html --site linked/ -o frame.html && grep -q slot frame.html",
        "unframe template index.html --site linked/ --view content | grep -q slot",
        "unframe template index.html --site linked/ --preset alarte-best --json > votes.json",
        "unframe clean sites/ --site-from folder -o out/ && test -s out/b/3.html.txt",
        "unframe clean day2/ --site-name news --state news.unframe -o out/",
        "cat page.html | unframe clean - --url http://u.example/p --state news.unframe",
        "unframe why page.html --site-name news --state news.unframe",
        "cat page.html | unframe why - --url http://u.example/p --state news.unframe",
        "unframe state show news.unframe",
        "unframe state show news.unframe --site-name u.example --top 50",
        "unframe state check news.unframe",
        "unframe clean sites/a --state mon.unframe -q && unframe clean sites/b --state tue.unframe -q",
        "unframe state merge mon.unframe tue.unframe -o week.unframe && unframe state check week.unframe",
        "unframe clean site/ --index idx/ && unframe search idx/ headline | grep -q p003",
        "unframe search idx/ '\"headline 3\" -electric' -n 3 | grep -q p003",
        "unframe clean site/ | head -n 1 | grep -q state_pages",
    ] {
        let script = format!("set -e; unframe() {{ '{BINARY}' \"$@\"; }}; {example}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path(""));
        let done = finish(start(shell));
        assert_eq!(done.code, Some(0), "{example}: {}", done.stderr);
    }
    let shown = run(args!["state", "show", folder.path("week.unframe")]).expect(0);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("2 sites, 12 pages"), "{shown}");
}
