//! The command that makes the model file of method `auto`, and says how good it is.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use rayon::prelude::*;
use unframe_eval::SetTotal;
use unframe_fit::grow::{GrowParams, grow};
use unframe_fit::protocol::{Judged, Protocol, ask, decide, folds, oracle};
use unframe_fit::samples::{Answer, Sample, draw, rows};
use unframe_fit::sites::read;
use unframe_methods::auto::{Auto, Decision, Group, Lean, Model, Remove, features};

#[derive(Parser, Clone)]
struct Args {
    corpora: Vec<PathBuf>,
    #[arg(long, default_value = "all")]
    run: Vec<String>,
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "odds-for,odds-anywhere-for"
    )]
    drop: Vec<String>,
    #[arg(long, default_value_t = 1.0)]
    name_penalty: f32,
    #[arg(long)]
    protocol: Option<String>,
    #[arg(long, default_value_t = 150)]
    trees: usize,
    #[arg(long, default_value_t = 6)]
    depth: usize,
    #[arg(long, default_value_t = 0.1)]
    rate: f32,
    #[arg(long, default_value_t = 0.3)]
    features: f32,
    #[arg(long, default_value_t = 20.0)]
    l2: f32,
    #[arg(long)]
    without: Vec<String>,
    #[arg(short, long)]
    out: Option<PathBuf>,
    #[arg(long)]
    gains: bool,
    #[arg(long, value_delimiter = ',', default_value = "0.35,0.45,0.55")]
    kappa: Vec<f32>,
    #[arg(long, value_delimiter = ',', default_value = "0.4,0.5")]
    most: Vec<f32>,
    #[arg(long, default_value_t = 0.15)]
    least: f32,
    #[arg(long, value_delimiter = ',', default_value = "1000,1")]
    pages: Vec<usize>,
    #[arg(long)]
    oracle: bool,
    #[arg(long, value_delimiter = ',')]
    blend: Vec<f32>,
    #[arg(long)]
    diag: Option<String>,
    #[arg(long)]
    diag_template: bool,
    #[arg(long)]
    diag_left: bool,
    #[arg(long)]
    only: Option<String>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let started = Instant::now();
    let sites = read(&args.corpora)?;
    eprintln!(
        "{} sites, {} features, {:.1} s",
        sites.len(),
        features().len(),
        started.elapsed().as_secs_f32()
    );
    let samples: Vec<Vec<Sample>> = sites.par_iter().map(draw).collect();
    eprintln!("samples {:.1} s", started.elapsed().as_secs_f32());
    for run in &args.run {
        let mut args = args.clone();
        for setting in run.split(';') {
            let (k, v) = setting.split_once('=').unwrap_or((setting, ""));
            match k {
                "losf" | "loso" => args.protocol = Some(k.into()),
                "trees" => args.trees = v.parse()?,
                "depth" => args.depth = v.parse()?,
                "rate" => args.rate = v.parse()?,
                "l2" => args.l2 = v.parse()?,
                "fs" => args.features = v.parse()?,
                "without" => args.without = v.split(',').map(String::from).collect(),
                "only" => args.only = Some(v.into()),
                "drop" => args.drop.extend(v.split(',').map(String::from)),
                "name" => args.name_penalty = v.parse()?,
                _ => {}
            }
        }
        println!("=== {run}");
        let allowed: Vec<bool> = features()
            .iter()
            .map(|f| {
                !args
                    .without
                    .iter()
                    .any(|w| format!("{:?}", f.group).eq_ignore_ascii_case(w))
                    && !args.drop.iter().any(|w| match w.strip_suffix('*') {
                        Some(p) => f.name.starts_with(p),
                        None => match w.strip_prefix('*') {
                            Some(e) => f.name.ends_with(e),
                            None => f.name == *w,
                        },
                    })
            })
            .collect();
        let fit = |leave: &dyn Fn(usize) -> bool| -> Model {
            let chosen = samples
                .iter()
                .enumerate()
                .filter(|(number, _)| !leave(*number))
                .flat_map(|(_, samples)| samples);
            let mut params = GrowParams {
                trees: args.trees,
                depth: args.depth,
                rate: args.rate,
                feature_share: args.features,
                l2: args.l2,
                allowed: Some(allowed.clone()),
                penalty: Some(
                    features()
                        .iter()
                        .map(|f| {
                            if matches!(f.group, Group::Name | Group::Landmark) {
                                args.name_penalty
                            } else {
                                1.0
                            }
                        })
                        .collect(),
                ),
                ..GrowParams::default()
            };
            let (boilerplate, gains) = grow(&rows(chosen.clone(), Answer::Boilerplate), &params);
            if args.gains {
                let mut by: Vec<(f64, &str)> = gains
                    .by_feature
                    .iter()
                    .zip(features())
                    .map(|(g, f)| (*g, f.name.as_str()))
                    .collect();
                by.sort_by(|a, b| b.0.total_cmp(&a.0));
                let total: f64 = by.iter().map(|x| x.0).sum();
                for (g, n) in by.iter().take(60) {
                    eprint!("{n} {:.3}; ", g / total);
                }
                eprintln!();
            }
            params.allowed = Some(
                features()
                    .iter()
                    .zip(&allowed)
                    .map(|(f, a)| {
                        *a && (f.group.is_of_site()
                            || matches!(
                                f.name.as_str(),
                                "words"
                                    | "linked"
                                    | "block-words"
                                    | "block-linked"
                                    | "block-texts"
                                    | "page-repeated"
                                    | "control"
                            ))
                    })
                    .collect(),
            );
            params.trees = args.trees * 2 / 3;
            let (template, _) = grow(&rows(chosen, Answer::Template), &params);
            Model {
                boilerplate,
                template,
                decision: Decision::default(),
                notes: Vec::new(),
            }
        };
        let show = |name: &str, totals: &[SetTotal]| {
            print!("{name:<22}");
            for t in totals {
                let c = &t.columns;
                match (c.f1, c.surv) {
                    (Some(f1), _) => print!(
                        " {} {:.3}(p{:.3} r{:.3})",
                        &t.set[..3],
                        f1,
                        c.p.unwrap_or(0.0),
                        c.r.unwrap_or(0.0)
                    ),
                    (_, Some(s)) => {
                        print!(" {} {:.3}/{:.3}", &t.set[..3], s, c.kept.unwrap_or(0.0))
                    }
                    _ => {}
                }
            }
            println!();
            if std::env::var_os("WORST").is_some() {
                for t in totals {
                    let mut w: Vec<(f64, &str)> = t
                        .sites
                        .iter()
                        .map(|s| {
                            (
                                s.columns.f1.or(s.columns.surv).unwrap_or(1.0),
                                s.site.as_str(),
                            )
                        })
                        .collect();
                    w.sort_by(|a, b| a.0.total_cmp(&b.0));
                    println!(
                        "    {}: {}",
                        t.set,
                        w.iter()
                            .take(8)
                            .map(|(f, n)| format!("{n} {f:.3}"))
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                }
            }
        };
        let models: Vec<Arc<Model>>;
        let fold_of: Vec<usize>;
        match args.protocol.as_deref() {
            Some(name) => {
                let protocol = if name == "losf" {
                    Protocol::Set
                } else {
                    Protocol::Site
                };
                fold_of = folds(&sites, protocol);
                let count = fold_of.iter().max().map_or(0, |m| m + 1);
                models = (0..count)
                    .map(|fold| {
                        let set = sites
                            .iter()
                            .zip(&fold_of)
                            .find(|(_, f)| **f == fold)
                            .map(|(s, _)| s.set.clone())
                            .unwrap_or_default();
                        if name == "losf"
                            && args
                                .only
                                .as_ref()
                                .is_some_and(|o| !o.split(',').any(|o| set.starts_with(o)))
                        {
                            return Arc::new(Model::default());
                        }
                        let m = fit(&|number| fold_of[number] == fold);
                        eprintln!("fold {fold} {:.1} s", started.elapsed().as_secs_f32());
                        Arc::new(m)
                    })
                    .collect();
            }
            None => {
                fold_of = vec![0; sites.len()];
                models = vec![Arc::new(fit(&|_| false))];
                eprintln!("fitted {:.1} s", started.elapsed().as_secs_f32());
            }
        }
        if let Some(out) = &args.out {
            std::fs::write(out, models[0].to_text())?;
        }
        for pages in args.pages.iter().map(|p| Some(*p).filter(|p| *p < 1000)) {
            let judged = ask(&sites, |n| models[fold_of[n]].clone(), pages);
            eprintln!("asked {:.1} s", started.elapsed().as_secs_f32());
            if pages.is_none() && !args.blend.is_empty() {
                let alone = ask(&sites, |n| models[fold_of[n]].clone(), Some(1));
                for share in &args.blend {
                    let blended: Vec<Judged> = judged
                        .iter()
                        .zip(&alone)
                        .map(|(a, b)| Judged {
                            site: a.site,
                            pages: a
                                .pages
                                .iter()
                                .zip(&b.pages)
                                .map(|((p, x), (_, y))| {
                                    let l = |p: f32| {
                                        (p.clamp(1e-4, 0.9999) / (1.0 - p.clamp(1e-4, 0.9999))).ln()
                                    };
                                    let mut z = x.clone();
                                    for (z, y) in z.boilerplate.iter_mut().zip(&y.boilerplate) {
                                        let o = (1.0 - share) * l(*z) + share * l(*y);
                                        *z = 1.0 / (1.0 + (-o).exp());
                                    }
                                    (*p, z)
                                })
                                .collect(),
                        })
                        .collect();
                    for kappa in &args.kappa {
                        let mut m = Model::default();
                        m.decision.kappa = *kappa;
                        m.decision.most = 0.4;
                        show(
                            &format!("blend {share} k={kappa}"),
                            &decide(
                                &blended,
                                &Auto::with_model(Arc::new(m), Remove::Boilerplate, Lean::Balance),
                            ),
                        );
                    }
                }
            }
            if let Some(set) = &args.diag {
                let template = args.diag_template;
                for j in judged.iter().filter(|j| j.site.set.starts_with(set)) {
                    let mut lost = Vec::new();
                    for (page, jd) in &j.pages {
                        let p = &j.site.pages[*page];
                        let label = p.label.as_ref().unwrap();
                        let words = p.view.words();
                        let (seen, of) = p.view.repetition(&j.site.memory);
                        for row in 0..words.len() {
                            let prob = if template {
                                jd.template[row]
                            } else {
                                jd.boilerplate[row]
                            };
                            let content = label.texts[row].content >= 0.5;
                            let wrong = if args.diag_left {
                                !content
                                    && prob < 0.55
                                    && !matches!(
                                        label.texts[row].gold,
                                        unframe_eval::align::NodeGold::Grey
                                    )
                            } else {
                                content && prob >= 0.6
                            };
                            if wrong {
                                lost.push((
                                    words[row],
                                    *page,
                                    prob,
                                    seen[row],
                                    of,
                                    label
                                        .source(row)
                                        .trim()
                                        .chars()
                                        .take(70)
                                        .collect::<String>(),
                                ));
                            }
                        }
                    }
                    let total: u32 = lost.iter().map(|l| l.0).sum();
                    lost.sort_by(|a, b| b.0.cmp(&a.0));
                    println!(
                        "--- {} pages {} wrong words {total}",
                        j.site.name,
                        j.pages.len()
                    );
                    for l in lost.iter().take(6) {
                        println!("   {} p{} {:.2} {}/{} {:?}", l.0, l.1, l.2, l.3, l.4, l.5);
                    }
                }
            }
            if args.oracle {
                show("oracle", &oracle(&judged));
            }
            for kappa in &args.kappa {
                for most in &args.most {
                    let mut m = Model::default();
                    m.decision.kappa = *kappa;
                    m.decision.most = *most;
                    m.decision.least = args.least;
                    let totals = decide(
                        &judged,
                        &Auto::with_model(Arc::new(m), Remove::Boilerplate, Lean::Balance),
                    );
                    show(
                        &format!(
                            "boil n={} k={kappa} m={most}",
                            pages.map_or("all".into(), |p: usize| p.to_string())
                        ),
                        &totals,
                    );
                }
            }
            if pages.is_none() {
                for t in [0.5, 0.65] {
                    let mut m = Model::default();
                    m.decision.template = t;
                    show(
                        &format!("template {t}"),
                        &decide(
                            &judged,
                            &Auto::with_model(Arc::new(m), Remove::Template, Lean::Balance),
                        ),
                    );
                }
            }
        }
    }
    eprintln!("{:.1} s", started.elapsed().as_secs_f32());
    Ok(())
}
