//! The table of cases, which every face of the project runs: `cases/README.md`.
//!
//! `UNFRAME_UPDATE=1` writes the expectations anew, those fields that a case names.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use serde_json::Value;
use unframe::batch::{CleanOptions, clean};
use unframe::methods::{Auto, Clustering, Method, MethodEntry, MethodSpec, params};
use unframe::read::{GivenPage, Inputs, ReadOptions, SiteFrom};
use unframe::record::{Fields, Origin};
use unframe::render::{Field, MarkdownOptions};
use unframe::store::Sites;
use unframe::survey::mdl::MdlParams;
use unframe::survey::{ClusterBy, IMatchParams, MinMaxParams, SurveyOptions, survey};
use unframe::{CleanPage, Comments, Overrides, Site, ViewedPage};

use crate::case_table::{self, Case, CasePage, Settings, differences, found};
use crate::collect::Collect;

#[test]
fn the_library_answers_as_the_table_says() {
    let path = case_table::path();
    let mut table = fs::read_to_string(&path).unwrap();
    let mut cases = case_table::read(&table).unwrap();
    let answers: Vec<Vec<Value>> = cases.iter().map(by_batch).collect();
    if std::env::var_os("UNFRAME_UPDATE").is_some() {
        table = updated(&table, &cases, &answers);
        // Another test may be reading it.
        let new = path.with_extension("new");
        fs::write(&new, &table).unwrap();
        fs::rename(&new, &path).unwrap();
        cases = case_table::read(&table).unwrap();
    }
    let mut wrong = Vec::new();
    for (case, answers) in cases.iter().zip(&answers) {
        wrong.extend(differences(case, "batch::clean", answers, &[]));
        if let Some(answers) = by_site(case) {
            // Only inputs of many sites give them names.
            wrong.extend(differences(case, "Site", &answers, &["site"]));
        }
        if let Some(answers) = by_extract(case) {
            wrong.extend(differences(case, "extract", &answers, &["site"]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differences; if they are meant, run with UNFRAME_UPDATE=1:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        table == updated(&table, &cases, &answers),
        "cases.jsonl is not formatted; run with UNFRAME_UPDATE=1"
    );
}

#[test]
fn every_setting_and_field_has_a_case() {
    let table = fs::read_to_string(case_table::path()).unwrap();
    let mut used = BTreeSet::new();
    for line in table.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let settings = case["settings"].as_object();
        used.extend(settings.into_iter().flatten().map(|(key, value)| {
            match key.as_str() {
                "method" => value
                    .as_str()
                    .unwrap()
                    .split(':')
                    .next()
                    .unwrap()
                    .to_string(),
                key => key.to_string(),
            }
        }));
        for expect in case["expect"].as_array().unwrap() {
            used.extend(
                expect
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(key, _)| key.clone()),
            );
        }
    }
    let settings = "remove favor comments protect remove_selector owner_marks body_only \
                    markdown_links markdown_images site_from site";
    let methods = unframe::methods::ALL.iter().map(|entry| entry.name);
    let wanted = settings
        .split_whitespace()
        .chain(methods)
        .chain(case_table::FIELDS);
    let missing: Vec<&str> = wanted.filter(|name| !used.contains(*name)).collect();
    assert!(missing.is_empty(), "no case has {missing:?}");
}

#[test]
fn what_is_not_known_is_an_error() {
    for (line, message) in [
        (
            r#"{"name": "a", "about": "b", "pagse": []}"#,
            "a case has no key `pagse`",
        ),
        (
            r#"{"name": "a", "about": "b", "pages": [{"htm": ""}], "expect": [{}]}"#,
            "a page has no key `htm`",
        ),
        (
            r#"{"name": "a", "about": "b", "settings": {"favour": "recall"}, "pages": [], "expect": []}"#,
            "settings has no key `favour`",
        ),
        (
            r#"{"name": "a", "about": "b", "pages": [{"html": ""}], "expect": [{"txt": ""}]}"#,
            "an expectation has no key `txt`",
        ),
        (
            r#"{"name": "a", "about": "b", "pages": [{"case": "a", "html": ""}], "expect": []}"#,
            "the pages of another case has no key `html`",
        ),
        (
            r#"{"name": "a", "about": "b", "pages": [{"html": ""}], "expect": []}"#,
            "1 pages, but 0 expectations",
        ),
    ] {
        let error = case_table::read(line).err().expect("a mistake");
        assert_eq!(error, format!("line 1: {message}"));
    }
}

#[test]
fn a_difference_names_case_page_and_field() {
    let line = r#"{"name": "a", "about": "b", "pages": [{"url": "https://a.example/", "html": "<p>x"}], "expect": [{"text": "y\n"}]}"#;
    let case = &case_table::read(line).unwrap()[0];
    let found = differences(case, "batch::clean", &by_batch(case), &[]);
    assert_eq!(
        found,
        [
            "case `a`, batch::clean, page 1 (https://a.example/), text:\n  expected \"y\\n\"\n  found    \"x\\n\""
        ]
    );
}

/// The records of a case, all pages learned by a run over many sites.
fn by_batch(case: &Case) -> Vec<Value> {
    match case.extract {
        true => {
            let alone = |page: &CasePage| clean_all(case, std::slice::from_ref(page));
            case.pages.iter().flat_map(alone).collect()
        }
        false => clean_all(case, &case.pages),
    }
}

fn clean_all(case: &Case, pages: &[CasePage]) -> Vec<Value> {
    let settings = &case.settings;
    let spec = spec(case);
    let given = pages.iter().map(|page| GivenPage {
        url: page.url.clone(),
        charset: page.charset.clone(),
        body: page.body.clone().into(),
        ..GivenPage::default()
    });
    let given: Vec<GivenPage> = given.collect();
    let read = ReadOptions {
        site_from: site_from(settings),
        site: settings.site.clone(),
        ..ReadOptions::default()
    };
    let mut inputs = Inputs::of_pages(given.into_iter(), read);
    let mut options = CleanOptions {
        arrival: case.arrival,
        drift: case.arrival,
        overrides: overrides(settings),
        ..CleanOptions::default()
    };
    let surveyed = SurveyOptions {
        duplicates: spec.dedup.then(IMatchParams::default),
        clusters: match spec.cluster {
            Clustering::None => None,
            Clustering::Minmax => Some(ClusterBy::MinMax(MinMaxParams::default())),
            Clustering::Mdl => Some(ClusterBy::Mdl(MdlParams::default())),
        },
        ..SurveyOptions::default()
    };
    if needs_survey(&spec) {
        options.survey = Some(Arc::new(survey(&mut inputs, &surveyed).unwrap()));
    }
    let mut sink = Collect::new(|raw, page| record(case, Origin::from(raw), page));
    let mut sites = Sites::in_memory(spec.engine().memory());
    clean(&mut inputs, spec.engine(), &mut sites, &options, &mut sink).unwrap();
    sink.made
}

/// The records of a case by one [`Site`], if it is a case of one site.
fn by_site(case: &Case) -> Option<Vec<Value>> {
    let spec = spec(case);
    let of = |page: &CasePage| site_from(&case.settings).site_of(page.url.as_deref()?);
    let sites: BTreeSet<_> = case.pages.iter().map(of).collect();
    let is_one = sites.len() == 1 || case.extract;
    if !is_one || needs_survey(&spec) || case.reader {
        return None;
    }
    let mut answers = Vec::new();
    match case.extract {
        true => {
            for page in &case.pages {
                answers.extend(label_all(case, &spec, std::slice::from_ref(page)));
            }
        }
        false => answers.extend(label_all(case, &spec, &case.pages)),
    }
    Some(answers)
}

/// All pages are learned, then all are labelled; or each in its turn, if they are labelled at arrival.
fn label_all(case: &Case, spec: &MethodSpec, pages: &[CasePage]) -> Vec<Value> {
    let mut site = Site::with_method(spec);
    site.set_overrides(overrides(&case.settings));
    site.watch_drift(case.arrival);
    let view = |(page, number): (&CasePage, usize)| {
        let name = page.url.clone().unwrap_or(format!("page {number}"));
        let viewer = site.viewer();
        viewer.view(&name, page.body.clone(), page.charset.as_deref())
    };
    let viewed: Vec<ViewedPage> = pages.iter().zip(1..).map(view).collect();
    let mut answers = Vec::new();
    for page in &viewed {
        site.learn_viewed(page).unwrap();
        if case.arrival {
            answers.push(record(case, Origin::default(), &site.label_viewed(page)));
        }
    }
    if !case.arrival {
        let label = |page| record(case, Origin::default(), &site.label_viewed(page));
        answers.extend(viewed.iter().map(label));
    }
    answers
}

/// The records of single pages by [`unframe::extract`], which has no settings.
fn by_extract(case: &Case) -> Option<Vec<Value>> {
    let has_charset = |page: &CasePage| !page.is_text && page.charset.is_some();
    if !case.extract || case.settings != Settings::default() || case.pages.iter().any(has_charset) {
        return None;
    }
    let extract = |page: &CasePage| {
        let found = unframe::extract(page.url.as_deref(), page.body.clone());
        record(case, Origin::default(), &found)
    };
    Some(case.pages.iter().map(extract).collect())
}

fn record(case: &Case, origin: Origin<'_>, page: &CleanPage) -> Value {
    let settings = &case.settings;
    let fields = case_table::asked_fields(case);
    let fields = Fields::new(fields.into_iter().map(|f| Field::named(f).unwrap()));
    let body = settings.body_only.then(|| page.body());
    let mut markdown = MarkdownOptions::default();
    markdown.links = settings.markdown_links.unwrap_or(markdown.links);
    markdown.images = settings.markdown_images.unwrap_or(markdown.images);
    let record = fields.record(origin, page, body.as_ref(), &markdown);
    serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap()
}

fn spec(case: &Case) -> MethodSpec {
    let settings = &case.settings;
    let method = settings.method.as_deref().unwrap_or(Auto::NAME);
    let (name, own) = method.split_once(':').unwrap_or((method, ""));
    let mut own = params::split(own);
    own.extend(settings.remove.as_deref().map(|remove| ("remove", remove)));
    own.extend(settings.favor.as_deref().map(|favor| ("favor", favor)));
    let has_arrival = MethodEntry::named(name).is_some_and(MethodEntry::has_arrival);
    own.extend((case.arrival && has_arrival).then_some(("arrival", "")));
    MethodSpec::new(name, &own).unwrap_or_else(|error| panic!("case `{}`: {error}", case.name))
}

fn needs_survey(spec: &MethodSpec) -> bool {
    spec.dedup || spec.cluster != Clustering::None
}

fn overrides(settings: &Settings) -> Overrides {
    let selectors = |texts: &[String]| texts.iter().map(|text| text.parse().unwrap()).collect();
    Overrides {
        protect: selectors(&settings.protect),
        remove: selectors(&settings.remove_selector),
        owner_marks: settings.owner_marks,
        comments: match settings.comments.as_deref() {
            None | Some("drop") => Comments::Drop,
            Some("keep") => Comments::Keep,
            Some("only") => Comments::Only,
            Some(other) => panic!("comments cannot be `{other}`"),
        },
        ..Overrides::default()
    }
}

fn site_from(settings: &Settings) -> SiteFrom {
    let from = settings.site_from.as_deref();
    from.map_or(SiteFrom::Host, |from| from.parse().unwrap())
}

/// The table with these answers in the fields that are expected.
fn updated(table: &str, cases: &[Case], answers: &[Vec<Value>]) -> String {
    let mut lines = String::new();
    for ((line, case), answers) in table.lines().zip(cases).zip(answers) {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let expect = value["expect"].as_array_mut().unwrap();
        let pages = expect.iter().filter(|expect| !expect.is_null()).count();
        assert_eq!(pages, answers.len(), "pages of case `{}`", case.name);
        let expect = expect.iter_mut().filter_map(Value::as_object_mut);
        for (expect, record) in expect.zip(answers) {
            for (field, value) in expect {
                *value = found(record, field);
            }
        }
        write_json(&value, &mut lines);
        lines.push('\n');
    }
    lines
}

/// The order in which keys are written; others follow by name.
const KEYS: &str = "name about reader extract arrival settings own frame pages expect case url charset \
                    folder head bytes method site state_pages title kind flags headline byline author \
                    date standfirst href";

/// JSON in one line, as people write it.
fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Object(object) => {
            let rank = |key: &str| {
                let mut keys = KEYS.split_whitespace().chain(case_table::FIELDS);
                keys.position(|known| known == key).unwrap_or(usize::MAX)
            };
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(key, _)| rank(key));
            out.push('{');
            for (at, (key, value)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&format!("{}: ", Value::from(key.as_str())));
                write_json(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_json(item, out);
            }
            out.push(']');
        }
        value => value.to_string().chars().for_each(|c| match is_unseen(c) {
            true => out.push_str(&format!("\\u{:04x}", c as u32)),
            false => out.push(c),
        }),
    }
}

/// Characters that nobody sees in an editor.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}
