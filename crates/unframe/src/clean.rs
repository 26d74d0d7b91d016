//! The run: read, learn, label, hand out.
//!
//! Labels by the final state need two passes over the input; labels at arrival need one. Either
//! way a page is handed out only after what was learnt from it is durable, so that whatever has
//! been handed out is in the state after a crash.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use unframe_methods::{Explanation, Flag, Labels, Method};
use unframe_page::Page;
use unframe_read::{InputError, Inputs, Pages, RawPage, Skipped};
use unframe_site::{Sites, StoreError, TextPlaces};

use crate::assign::Assigner;
use crate::drift::DriftWatch;
use crate::options::{CleanOptions, Pass, Progress};
use crate::parsed::{Batch, NoThreads, Outcome, Parsed, Workers, each_batch, parse_item};
use crate::summary::Summary;
use crate::survey::Survey;

/// A labelled page, as the caller's closure gets it.
pub struct CleanPage<'a> {
    /// Name, URL, site and place of the page in the input; its body is in `page`.
    pub raw: &'a RawPage,
    /// The page itself.
    pub page: &'a Page,
    /// What the method says of it.
    pub labels: &'a Labels,
    /// What a reader should know of it.
    pub flags: &'a [String],
    /// Pages of the site, or of the page's cluster, that had been learnt when it was labelled.
    pub state_pages: u64,
    /// Why each text got its label, if that was asked for.
    pub explanations: &'a [Explanation],
}

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError<E> {
    /// The inputs could not be read again.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The state could not be read or written.
    #[error(transparent)]
    State(#[from] StoreError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] NoThreads),
    /// The caller's closure gave up.
    #[error(transparent)]
    Output(E),
}

/// Cleans all pages of the inputs. `render` makes of a labelled page what is to be kept of it, on
/// any thread; `write` gets that, one after another in the order of the input; `skipped` hears of
/// whatever gave no page.
pub fn clean<M, T, E>(
    inputs: &mut Inputs,
    method: &M,
    sites: &mut Sites<M::Memory>,
    options: &CleanOptions,
    render: impl Fn(CleanPage<'_>) -> T + Sync,
    write: impl FnMut(T) -> Result<(), E>,
    skipped: impl FnMut(&Skipped),
) -> Result<Summary, CleanError<E>>
where
    M: Method,
    T: Send,
{
    let workers = Workers::start(options.jobs)?;
    let started = Instant::now();
    options.progress.begin(Pass::Learning);
    let assigner = options.assign.clone().filter(|_| options.arrival);
    let in_clusters = assigner.is_some() || survey_clusters(options);
    let watches_drift = options.drift && !in_clusters;
    let mut run = Run {
        assigner: assigner.map(Assigner::new),
        method,
        sites,
        options,
        workers: &workers,
        render,
        write,
        skipped,
        drift: watches_drift.then(DriftWatch::default),
        summary: Summary::default(),
        committed: Instant::now(),
    };
    let passed = match options.arrival {
        true => run.label_at_arrival(inputs),
        false => run.learn_then_label(inputs),
    };
    // However the run ended, what has been learnt so far is kept if it can be.
    let kept = run.sites.commit();
    let mut summary = run.summary;
    summary.clusters = run.assigner.as_ref().map(Assigner::clusters);
    summary.drift = run.drift.map(DriftWatch::finish).unwrap_or_default();
    passed?;
    kept?;
    summary.interrupted = options.progress.is_stopped();
    summary.elapsed = started.elapsed();
    if let Some(survey) = &options.survey {
        summary.clusters = summary.clusters.or(survey.clusters());
        summary.elapsed += survey.elapsed;
    }
    Ok(summary)
}

struct Run<'a, M: Method, R, W, S> {
    assigner: Option<Assigner>,
    method: &'a M,
    sites: &'a mut Sites<M::Memory>,
    options: &'a CleanOptions,
    workers: &'a Workers,
    render: R,
    write: W,
    skipped: S,
    drift: Option<DriftWatch>,
    summary: Summary,
    committed: Instant,
}

/// What `render` made of a page, and what the summary needs to know of the page.
struct Rendered<T> {
    output: T,
    length: u64,
    template_length: u64,
    flags: Vec<String>,
}

impl<M, T, E, R, W, S> Run<'_, M, R, W, S>
where
    M: Method,
    T: Send,
    R: Fn(CleanPage<'_>) -> T + Sync,
    W: FnMut(T) -> Result<(), E>,
    S: FnMut(&Skipped),
{
    /// One pass: each page is learnt, labelled, and handed out after the next commit.
    fn label_at_arrival(&mut self, inputs: &mut Inputs) -> Result<(), CleanError<E>> {
        let mut waiting: Vec<Rendered<T>> = Vec::new();
        self.each_batch(inputs.read(false)?, |run, batch, _, _| {
            let mut labelled = Vec::with_capacity(batch.len());
            let survey = run.options.survey.as_deref();
            let (assigns, watches) = (run.assigner.is_some(), run.drift.is_some());
            let method = run.method;
            let batch = run.workers.map(batch, |parsed| {
                let sketch = assigns.then(|| Assigner::sketch(&parsed.page));
                let places = watches.then(|| method.places(&parsed.page, &parsed.view));
                (parsed, sketch, places)
            });
            for (parsed, sketch, places) in batch {
                let key = match (&mut run.assigner, sketch) {
                    (Some(assigner), Some(sketch)) => {
                        let site = &parsed.raw.site;
                        let assigned = assigner.assign(site, parsed.identity, &sketch);
                        for (from, into) in &assigned.joined {
                            run.sites.join(from, into)?;
                        }
                        Cow::Owned(assigned.memory)
                    }
                    _ => memory_key(survey, &parsed),
                };
                run.learn(&parsed, &key, places)?;
                let memory = run.sites.get(&key).expect("just learnt");
                let pages = run.state_pages(&key);
                let mut said = Said::of(run.method, memory, &parsed, pages, run.options);
                said.watch(run.drift.as_ref(), &parsed);
                drop(key);
                labelled.push((parsed, said));
            }
            let (render, options) = (&run.render, run.options);
            let rendered = run.workers.map(labelled, |(parsed, said)| {
                finish(render, &parsed, said, options)
            });
            waiting.extend(rendered);
            if run.commit_if_due()? {
                run.hand_out(waiting.drain(..))?;
            }
            Ok(())
        })?;
        self.commit()?;
        self.hand_out(waiting.drain(..))
    }

    /// Two passes: all pages are learnt, then all are labelled by the final state.
    fn learn_then_label(&mut self, inputs: &mut Inputs) -> Result<(), CleanError<E>> {
        // The first pages are kept as long as there is room, and not read and parsed twice. Those of
        // sites that are over make room for others.
        let mut kept: VecDeque<Batch<M::View>> = VecDeque::new();
        let (mut kept_items, mut items) = (0, 0);
        let (mut kept_bytes, mut has_room) = (0, true);
        let ends = inputs.site_ends();
        self.each_batch(inputs.read(true)?, |run, batch, read, sources| {
            let (method, watches) = (run.method, run.drift.is_some());
            let batch = run.workers.map(batch, |parsed| {
                let places = watches.then(|| method.places(&parsed.page, &parsed.view));
                (parsed, places)
            });
            let mut learnt = Vec::with_capacity(batch.len());
            for (mut parsed, places) in batch {
                let key = memory_key(run.options.survey.as_deref(), &parsed);
                run.learn(&parsed, &key, places)?;
                drop(key);
                method.shrink(&mut parsed.view);
                learnt.push(parsed);
            }
            let batch = learnt;
            run.commit_if_due()?;
            items += read;
            if has_room {
                kept_items = items;
                kept_bytes += page_bytes(&batch);
                kept.push_back(batch);
            }
            let is_over = |batch: &Batch<M::View>| {
                batch
                    .iter()
                    .all(|page| ends.is_over(&page.raw.site, sources))
            };
            while kept.front().is_some_and(is_over)
                && let Some(batch) = kept.pop_front()
            {
                run.commit()?;
                kept_bytes -= page_bytes(&batch);
                run.relabel(batch)?;
            }
            if has_room && kept_bytes > run.options.keep_bytes {
                has_room = false;
                kept_items -= read;
                kept.pop_back();
            }
            Ok(())
        })?;
        self.commit()?;
        if self.options.progress.is_stopped() {
            return Ok(());
        }
        self.options.progress.begin(Pass::Cleaning);
        for batch in kept {
            let bytes = page_bytes(&batch) as u64;
            self.options.progress.add(batch.len() as u64, bytes);
            self.relabel(batch)?;
        }
        if kept_items == items {
            return Ok(());
        }
        // The same things would be skipped for the same reasons.
        let skipped = std::mem::take(&mut self.summary.skipped);
        let failures = self.summary.failures;
        let mut pages = inputs.read(false)?;
        pages.by_ref().take(kept_items).for_each(drop);
        let passed = self.each_batch(pages, |run, batch, _, _| run.relabel(batch));
        self.summary.skipped = skipped;
        self.summary.failures = failures;
        passed
    }

    /// Labels a batch by what has been learnt, on all threads, and hands it out.
    fn relabel(&mut self, batch: Batch<M::View>) -> Result<(), CleanError<E>> {
        let survey = self.options.survey.as_deref();
        let keys: BTreeSet<Cow<'_, str>> = batch.iter().map(|p| memory_key(survey, p)).collect();
        for key in &keys {
            self.sites.load(key)?;
        }
        let (method, sites, render) = (self.method, &*self.sites, &self.render);
        let (options, drift) = (self.options, self.drift.as_ref());
        self.workers.run(|| {
            for memory in keys.iter().filter_map(|key| sites.get(key)) {
                method.prepare(memory);
            }
        });
        drop(keys);
        let rendered = self.workers.map(batch, |parsed| {
            let key = memory_key(survey, &parsed);
            let memory = sites.get(&key).expect("loaded above");
            let pages = sites.record(&key).map_or(0, |record| record.pages);
            let mut said = Said::of(method, memory, &parsed, pages, options);
            said.watch(drift, &parsed);
            finish(render, &parsed, said, options)
        });
        self.hand_out(rendered)?;
        // Labelling many sites in turn must not pile their memories up.
        if self.sites.is_crowded() {
            self.sites.commit()?;
        }
        Ok(())
    }

    /// Reads, parses and views batch by batch; `work` also hears how many items of the input made
    /// the batch, and how many of its sources are read.
    fn each_batch(
        &mut self,
        pages: Pages,
        mut work: impl FnMut(&mut Self, Batch<M::View>, usize, usize) -> Result<(), CleanError<E>>,
    ) -> Result<(), CleanError<E>> {
        let progress = &self.options.progress;
        let (method, limits, workers) = (self.method, &self.options.limits, self.workers);
        let parse = |item| parse_item(item, limits, |page| method.view(page));
        each_batch(pages, workers, progress, parse, |outcomes, sources| {
            let items = outcomes.len();
            let batch = self.sort_out(outcomes, progress);
            work(self, batch, items, sources)
        })
    }

    /// Tells pages from what was skipped.
    fn sort_out(&mut self, outcomes: Vec<Outcome<M::View>>, progress: &Progress) -> Batch<M::View> {
        let mut batch = Vec::with_capacity(outcomes.len());
        let mut bytes = 0;
        for outcome in outcomes {
            match outcome {
                Outcome::Parsed(parsed) => {
                    bytes += parsed.page.bytes().len() as u64;
                    batch.push(parsed);
                }
                Outcome::Skipped(skipped) => {
                    self.summary.skip(&skipped);
                    if progress.pass() != Pass::Cleaning {
                        (self.skipped)(&skipped);
                    }
                }
            }
        }
        progress.add(batch.len() as u64, bytes);
        batch
    }

    fn learn(
        &mut self,
        parsed: &Parsed<M::View>,
        key: &str,
        places: Option<TextPlaces>,
    ) -> Result<(), StoreError> {
        let bytes = parsed.page.bytes().len() as u64;
        let survey = self.options.survey.as_deref();
        let (method, summary) = (self.method, &mut self.summary);
        summary.meet(&parsed.raw.site);
        summary.bytes += bytes;
        if is_duplicate(survey, parsed) {
            // An earlier run may have learnt it into the state.
            return self.sites.forget(key, parsed.identity).map(|_| ());
        }
        let learnt = self.sites.visit(
            key,
            parsed.identity,
            parsed.content,
            bytes,
            |memory, visit| {
                match visit.former {
                    None => summary.new += 1,
                    Some(_) => summary.changed += 1,
                }
                method.learn(memory, &parsed.page, &parsed.view, visit)
            },
        )?;
        self.summary.unchanged += u64::from(!learnt);
        if let (true, Some(watch), Some(places)) = (learnt, &mut self.drift, places) {
            let designs = self.sites.designs_mut(key).expect("just learnt");
            let page = (parsed.identity, parsed.raw.name.as_str());
            watch.meet(key, page, designs, &places, self.options.arrival);
        }
        Ok(())
    }

    fn state_pages(&self, key: &str) -> u64 {
        self.sites.record(key).map_or(0, |record| record.pages)
    }

    fn commit_if_due(&mut self) -> Result<bool, StoreError> {
        let due = self.sites.pages_since_commit() >= self.options.commit_pages
            || self.committed.elapsed() >= self.options.commit_after
            || self.sites.is_crowded();
        if due {
            self.commit()?;
        }
        Ok(due)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.sites.commit()?;
        self.committed = Instant::now();
        Ok(())
    }

    fn hand_out(
        &mut self,
        rendered: impl IntoIterator<Item = Rendered<T>>,
    ) -> Result<(), CleanError<E>> {
        for page in rendered {
            let summary = &mut self.summary;
            summary.pages += 1;
            summary.length += page.length;
            summary.template_length += page.template_length;
            for flag in page.flags {
                *summary.flags.entry(flag).or_default() += 1;
            }
            (self.write)(page.output).map_err(CleanError::Output)?;
        }
        Ok(())
    }
}

fn page_bytes<V>(batch: &Batch<V>) -> usize {
    batch.iter().map(|parsed| parsed.page.bytes().len()).sum()
}

/// The name that the memory of a page's site, or of its cluster in the site, goes by.
fn memory_key<'a, V>(survey: Option<&Survey>, parsed: &'a Parsed<V>) -> Cow<'a, str> {
    let site = &parsed.raw.site;
    match survey {
        Some(survey) => survey.fate(site, parsed.identity).memory_key(site),
        None => Cow::Borrowed(site),
    }
}

/// True if a survey has put the pages into clusters.
fn survey_clusters(options: &CleanOptions) -> bool {
    let survey = options.survey.as_deref();
    survey.is_some_and(|survey| survey.clusters().is_some())
}

fn is_duplicate<V>(survey: Option<&Survey>, parsed: &Parsed<V>) -> bool {
    survey.is_some_and(|survey| {
        let fate = survey.fate(&parsed.raw.site, parsed.identity);
        fate.duplicate
    })
}

/// What the method says of a page.
struct Said {
    labels: Labels,
    explanations: Vec<Explanation>,
    /// Pages that had been learnt.
    pages: u64,
    /// They are fewer than the method needs.
    few: bool,
}

impl Said {
    fn of<M: Method>(
        method: &M,
        memory: &M::Memory,
        parsed: &Parsed<M::View>,
        pages: u64,
        options: &CleanOptions,
    ) -> Said {
        let labels = method.label(memory, &parsed.view);
        let wanted = options.explain.as_ref();
        let explanations = match wanted.is_some_and(|wanted| wanted.has(&parsed.raw)) {
            true => method.explain(memory, &parsed.view, &labels),
            false => Vec::new(),
        };
        Said {
            labels,
            explanations,
            pages,
            few: pages < method.needs_pages(),
        }
    }

    /// Flags a page that is built otherwise than those before.
    fn watch<V>(&mut self, drift: Option<&DriftWatch>, parsed: &Parsed<V>) {
        if drift.is_some_and(|drift| drift.has(parsed.identity)) {
            self.labels.flags.push(Flag::Drift);
        }
    }
}

/// The last touch to a page's labels, its flags, and what the caller makes of it.
fn finish<V, T>(
    render: &impl Fn(CleanPage<'_>) -> T,
    parsed: &Parsed<V>,
    said: Said,
    options: &CleanOptions,
) -> Rendered<T> {
    let Said {
        mut labels,
        mut explanations,
        pages: state_pages,
        few,
    } = said;
    options.overrides.apply(&parsed.page, &mut labels);
    let mut found = std::mem::take(&mut labels.flags);
    let mut add = |flag: Flag, is_so: bool| found.extend(is_so.then_some(flag));
    let duplicate = is_duplicate(options.survey.as_deref(), parsed);
    add(Flag::Duplicate, duplicate);
    add(Flag::FewPages, few);
    add(Flag::NoText, labels.texts.is_empty());
    add(Flag::Suspicious, labels.never_empty());
    let (all, template) = (labels.length(), labels.template_length());
    add(Flag::AllFrame, all > 0 && template == all);
    Explanation::overrule(&mut explanations, &labels);
    found.sort();
    let mut flags: Vec<String> = Vec::new();
    if parsed.raw.truncated {
        flags.push(unframe_dom::Cut::Bytes.flag().into());
    }
    let cuts = parsed.page.dom().cuts().iter().map(|cut| cut.flag());
    flags.extend(cuts.map(String::from));
    flags.dedup();
    flags.extend(found.into_iter().map(|flag| flag.name().to_string()));
    let output = render(CleanPage {
        raw: &parsed.raw,
        page: &parsed.page,
        labels: &labels,
        flags: &flags,
        state_pages,
        explanations: &explanations,
    });
    Rendered {
        output,
        length: labels.length(),
        template_length: labels.template_length(),
        flags,
    }
}
