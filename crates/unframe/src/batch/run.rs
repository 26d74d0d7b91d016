//! A run: read, learn, label, emit.
//!
//! Labels from the final state need two passes over the input; labels at arrival need one. Either way,
//! a page is emitted only after what was learned from it is committed, so that after a crash the state
//! contains every emitted page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use unframe_labels::Flag;
use unframe_methods::{Engine, View};
use unframe_page::Fingerprint;
use unframe_read::{InputError, Inputs, Item, Pages, RawPage, SkipReason, Skipped};
use unframe_site::{DriftWatch, Memory, Sites, StoreError, TextPlaces, Versions, Visit};

use super::assigner::Assigner;
use super::held::{Held, PageBytes, Samplings};
use super::options::{CleanOptions, Pass, Progress};
use super::parsed::{Batch, NoThreads, Outcome, Parsed, Unparsed, Workers, each_batch, parse_item};
use super::sink::{BoxError, ErasedSink, Output, Sink, erase};
use super::summary::Summary;
use crate::clean_page::CleanPage;
use crate::survey::Survey;
use crate::verdict::{Circumstances, Detail, Draft};

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError {
    /// The inputs could not be read again.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The state could not be read or written.
    #[error(transparent)]
    State(#[from] StoreError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] NoThreads),
    /// The sink failed.
    #[error(transparent)]
    Output(BoxError),
}

/// Learns all pages of the inputs into `sites`, in one pass. Pages that would change nothing are not parsed:
/// those that are known as they are, and those outside of the sample that the method remembers.
pub fn learn(
    inputs: &mut Inputs,
    engine: &Arc<dyn Engine>,
    sites: &mut Sites,
    options: &CleanOptions,
) -> Result<Summary, CleanError> {
    let mut nothing = |_: &CleanPage| {};
    let sink = &mut erase(&mut nothing);
    run(inputs, &**engine, sites, options, sink, Passes::Learn)
}

/// Cleans all pages of the inputs: learns them into `sites`, labels them, and passes them to `sink` in
/// input order. The result does not depend on the number of threads.
///
/// ```
/// use unframe::batch::{CleanOptions, clean};
/// use unframe::methods::MethodSpec;
/// use unframe::read::{Inputs, ReadOptions};
/// use unframe::store::Sites;
///
/// let engine = MethodSpec::default().engine().clone();
/// let mut sites = Sites::in_memory(engine.memory());
/// let mut inputs = Inputs::open(&["../../demo/harbour-shop/pages".into()], ReadOptions::default())?;
/// let mut texts = Vec::new();
/// let mut sink = |page: &unframe::CleanPage| texts.push(page.text());
/// let summary = clean(&mut inputs, &engine, &mut sites, &CleanOptions::default(), &mut sink)?;
/// assert_eq!(summary.pages as usize, texts.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clean<S: Sink>(
    inputs: &mut Inputs,
    engine: &Arc<dyn Engine>,
    sites: &mut Sites,
    options: &CleanOptions,
    sink: &mut S,
) -> Result<Summary, CleanError> {
    let passes = match (options.learn, options.arrival) {
        (false, _) => Passes::Label,
        (true, true) => Passes::LabelAtArrival,
        (true, false) => Passes::LearnThenLabel,
    };
    run(inputs, &**engine, sites, options, &mut erase(sink), passes)
}

/// What a run does with its inputs.
enum Passes {
    Learn,
    Label,
    LabelAtArrival,
    LearnThenLabel,
}

/// The same with a type-erased sink, so that it is compiled once.
fn run(
    inputs: &mut Inputs,
    engine: &dyn Engine,
    sites: &mut Sites,
    options: &CleanOptions,
    sink: &mut dyn ErasedSink,
    passes: Passes,
) -> Result<Summary, CleanError> {
    let workers = Workers::start(options.jobs)?.with_batches(options.batch_pages);
    let started = Instant::now();
    options.progress.begin(Pass::Learning);
    let assigner = options.assign.clone().filter(|_| options.arrival);
    let in_clusters = assigner.is_some() || survey_clusters(options);
    let watches_drift = options.drift && !in_clusters;
    let mut run = Run {
        assigner: assigner.map(Assigner::new),
        engine,
        sites,
        options,
        workers: &workers,
        sink,
        drift: watches_drift.then(DriftWatch::default),
        summary: Summary::default(),
        committed: Instant::now(),
        broken: HashSet::new(),
        late: Vec::new(),
    };
    let passed = match passes {
        Passes::Learn => run.learn_all(inputs),
        Passes::Label => run.label_all(inputs),
        Passes::LabelAtArrival => run.label_at_arrival(inputs),
        Passes::LearnThenLabel => run.learn_then_label(inputs),
    };
    for skipped in std::mem::take(&mut run.late) {
        run.summary.skip(&skipped);
        run.sink.skipped(&skipped);
    }
    // Even after an error, try to commit what was learned so far.
    let kept = match passed {
        Ok(()) => run.sites.finish(),
        Err(_) => run.sites.commit().map(|()| None),
    };
    let mut summary = run.summary;
    summary.clusters = run.assigner.as_ref().map(Assigner::clusters);
    summary.drift = run.drift.map(DriftWatch::finish).unwrap_or_default();
    passed?;
    summary.not_compacted = kept?.map(|reason| reason.to_string());
    summary.state = sites.state_size();
    summary.interrupted = options.progress.is_stopped();
    summary.elapsed = started.elapsed();
    if let Some(survey) = &options.survey {
        summary.clusters = summary.clusters.or(survey.clusters());
        summary.elapsed += survey.elapsed;
    }
    Ok(summary)
}

struct Run<'a> {
    assigner: Option<Assigner>,
    engine: &'a dyn Engine,
    sites: &'a mut Sites,
    options: &'a CleanOptions,
    workers: &'a Workers,
    sink: &'a mut dyn ErasedSink,
    drift: Option<DriftWatch>,
    summary: Summary,
    committed: Instant,
    /// Names of pages that could not be parsed.
    broken: HashSet<String>,
    /// Those of them that were not parsed before they were to be labelled.
    late: Vec<Skipped>,
}

/// A page rendered by the sink, and what the summary needs to know about it.
struct Rendered {
    output: Output,
    length: u64,
    template_length: u64,
    flags: Vec<Flag>,
}

impl Run<'_> {
    /// One pass: each page is learned, labelled, and emitted after the next commit.
    fn label_at_arrival(&mut self, inputs: &mut Inputs) -> Result<(), CleanError> {
        let mut waiting: Vec<Rendered> = Vec::new();
        let (engine, limits) = (self.engine, &self.options.limits);
        let parse = |item| parse_item(item, limits, |page| engine.view(page));
        self.each_batch(
            inputs.read(false)?,
            parse,
            |run, batch: Batch<View>, _, _| {
                let mut labelled = Vec::with_capacity(batch.len());
                let survey = run.options.survey.as_deref();
                let (assigns, watches) = (run.assigner.is_some(), run.drift.is_some());
                let engine = run.engine;
                let batch = run.workers.map(batch, |parsed| {
                    let sketch = assigns.then(|| Assigner::sketch(&parsed.page));
                    let places = watches.then(|| engine.places(&parsed.page, &parsed.view));
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
                        _ => memory_key(survey, &parsed.raw, parsed.identity),
                    };
                    run.learn(&parsed, &key, places)?;
                    let memory = run.sites.get(&key).expect("just learned");
                    let pages = run.state_pages(&key);
                    let detail = run.options.detail(&parsed.raw);
                    let draft = Draft::of(engine, memory, &parsed.view, pages, detail);
                    let drift = is_drifted(run.drift.as_ref(), &parsed);
                    drop(key);
                    labelled.push((parsed, draft, drift));
                }
                let (sink, options) = (&*run.sink, run.options);
                let rendered = run.workers.map(labelled, |(parsed, draft, drift)| {
                    finish(sink, engine, *parsed, draft, drift, options)
                });
                waiting.extend(rendered);
                if run.commit_if_due()? {
                    run.emit(waiting.drain(..))?;
                }
                Ok(())
            },
        )?;
        self.commit()?;
        self.emit(waiting.drain(..))
    }

    /// One pass: all pages are learned, and none is labelled.
    fn learn_all(&mut self, inputs: &mut Inputs) -> Result<(), CleanError> {
        let pages = inputs.read(false)?;
        self.each_batch(pages, unparsed, |run, batch: Vec<Box<Unparsed>>, _, _| {
            // A version that changes nothing now may do so once another one of the batch is learned. So all
            // versions of a page are parsed if one of them is, and are learned in their order.
            let mut changing = HashSet::new();
            for page in &batch {
                let (site, bytes) = (&page.raw.site, page.raw.body.len() as u64);
                run.sites.load(site)?;
                let memory = run.sites.get(site).expect("just loaded");
                let is_sampled = memory.sampling().has(page.identity);
                if is_sampled && run.sites.wants(site, page.identity, page.content, bytes) {
                    changing.insert(page.identity);
                }
            }
            let (wanted, others): (Vec<_>, Vec<_>) = batch
                .into_iter()
                .partition(|page| changing.contains(&page.identity));
            let (engine, limits) = (run.engine, &run.options.limits);
            let parsed = run
                .workers
                .map(wanted, |page| page.parse(limits, |page| engine.view(page)));
            for page in parsed {
                match page {
                    Ok(page) => run.learn(&page, &page.raw.site, None)?,
                    Err(skipped) => run.late.push(skipped),
                }
            }
            for page in others {
                run.pass_by(&page)?;
            }
            run.commit_if_due().map(|_| ()).map_err(CleanError::from)
        })
    }

    /// Two passes: all pages are learned, then all are labelled from the final state.
    fn learn_then_label(&mut self, inputs: &mut Inputs) -> Result<(), CleanError> {
        // What is known of a page before is out of date. But if there is nothing, all versions of a page are
        // of this run, and the result must not depend on their order.
        let versions = match self.sites.is_empty() {
            true => self.sites.set_versions(Versions::AnyOrder),
            false => self.sites.versions(),
        };
        let passed = self.learn_then_label_pages(inputs);
        self.sites.set_versions(versions);
        passed
    }

    fn learn_then_label_pages(&mut self, inputs: &mut Inputs) -> Result<(), CleanError> {
        // The first pages are kept while they fit, so that they are not read and parsed twice. Pages
        // of completed sites make room for others.
        let mut kept: VecDeque<Vec<Held>> = VecDeque::new();
        // What is watched for drift has to be parsed; clusters have samples of their own.
        let may_skip = self.drift.is_none() && self.options.survey.is_none();
        let samplings = Samplings::default();
        let (mut kept_items, mut items) = (0, 0);
        let (mut kept_bytes, mut has_room) = (0, true);
        let ends = inputs.site_ends();
        let (engine, limits) = (self.engine, &self.options.limits);
        let hold = |item: Item| match item {
            Item::Page(raw) => {
                let page = Unparsed::of(raw);
                // Nothing would be learned from it, so it is parsed when it is labelled.
                if may_skip && !samplings.have(&page) {
                    return Outcome::Page(Held::Unparsed(Box::new(page)));
                }
                match page.parse(limits, |page| engine.view(page)) {
                    Ok(parsed) => Outcome::Page(Held::Parsed(parsed)),
                    Err(skipped) => Outcome::Skipped(skipped),
                }
            }
            Item::Skipped(skipped) => Outcome::Skipped(skipped),
        };
        self.each_batch(inputs.read(true)?, hold, |run, batch, read, sources| {
            let (engine, watches) = (run.engine, run.drift.is_some());
            let batch = run.workers.map(batch, |held: Held| {
                let places = match &held {
                    Held::Parsed(page) if watches => Some(engine.places(&page.page, &page.view)),
                    _ => None,
                };
                (held, places)
            });
            let mut learned = Vec::with_capacity(batch.len());
            for (mut held, places) in batch {
                match &mut held {
                    Held::Parsed(parsed) => {
                        let survey = run.options.survey.as_deref();
                        let key = memory_key(survey, &parsed.raw, parsed.identity);
                        run.learn(parsed, &key, places)?;
                        if let Some(memory) = run.sites.get(&key) {
                            samplings.set(&key, memory.sampling());
                        }
                        drop(key);
                        engine.shrink(&mut parsed.view);
                    }
                    Held::Unparsed(page) => run.pass_by(page)?,
                }
                learned.push(held);
            }
            let batch = learned;
            run.commit_if_due()?;
            items += read;
            if has_room {
                kept_items = items;
                kept_bytes += batch.iter().map(Held::bytes).sum::<usize>();
                kept.push_back(batch);
            }
            let is_over = |batch: &Vec<Held>| {
                let mut pages = batch.iter();
                pages.all(|page| ends.is_over(&page.raw().site, sources))
            };
            while kept.front().is_some_and(is_over)
                && let Some(batch) = kept.pop_front()
            {
                run.commit()?;
                kept_bytes -= batch.iter().map(Held::bytes).sum::<usize>();
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
            if self.options.progress.is_stopped() {
                return Ok(());
            }
            let bytes: usize = batch.iter().map(Held::page_bytes).sum();
            self.options.progress.add(batch.len() as u64, bytes as u64);
            self.relabel(batch)?;
        }
        if kept_items == items {
            return Ok(());
        }
        // The first pass has reported everything that is skipped.
        let skipped = std::mem::take(&mut self.summary.skipped);
        let failures = self.summary.failures;
        let mut pages = inputs.read(false)?;
        pages.by_ref().take(kept_items).for_each(drop);
        let passed = self.each_batch(pages, hold_unparsed, |run, batch, _, _| run.relabel(batch));
        self.summary.skipped = skipped;
        self.summary.failures = failures;
        passed
    }

    /// One pass: pages are labelled by what was learned before.
    fn label_all(&mut self, inputs: &mut Inputs) -> Result<(), CleanError> {
        let pages = inputs.read(false)?;
        self.each_batch(pages, hold_unparsed, |run, batch: Vec<Held>, _, _| {
            for page in &batch {
                run.summary.meet(&page.raw().site);
                run.summary.bytes += page.page_bytes() as u64;
            }
            run.relabel(batch)
        })
    }

    /// Labels a batch with what was learned, on all threads, and emits it.
    fn relabel(&mut self, batch: Vec<Held>) -> Result<(), CleanError> {
        let survey = self.options.survey.as_deref();
        let key = |page: &Held| memory_key(survey, page.raw(), page.identity()).into_owned();
        let keys: BTreeSet<String> = batch.iter().map(key).collect();
        for key in &keys {
            self.sites.load(key)?;
        }
        let (engine, sites, sink) = (self.engine, &*self.sites, &*self.sink);
        let (options, drift) = (self.options, self.drift.as_ref());
        self.workers.run(|| {
            for memory in keys.iter().filter_map(|key| sites.get(key)) {
                engine.prepare(memory);
            }
        });
        drop(keys);
        let rendered: Vec<Result<Rendered, Skipped>> = self.workers.map(batch, |held| {
            let key = key(&held);
            let memory = sites.get(&key).expect("loaded above");
            let pages = sites.record(&key).map_or(0, |record| record.pages);
            let detail = options.detail(held.raw());
            let parsed = match held {
                Held::Parsed(parsed) => parsed,
                Held::Unparsed(page) if detail == Detail::default() => {
                    page.parse(&options.limits, |page| engine.view_known(page, memory))?
                }
                Held::Unparsed(page) => page.parse(&options.limits, |page| engine.view(page))?,
            };
            let draft = Draft::of(engine, memory, &parsed.view, pages, detail);
            let drift = is_drifted(drift, &parsed);
            Ok(finish(sink, engine, *parsed, draft, drift, options))
        });
        let mut emitted = Vec::with_capacity(rendered.len());
        for page in rendered {
            match page {
                Ok(page) => emitted.push(page),
                // The first pass has reported what it could not parse.
                Err(skipped) if self.broken.contains(&skipped.name) => {}
                Err(skipped) => {
                    self.broken.insert(skipped.name.clone());
                    self.late.push(skipped);
                }
            }
        }
        self.emit(emitted)?;
        // Labelling many sites in turn must not accumulate their memories.
        if self.sites.is_crowded() {
            self.sites.commit()?;
        }
        Ok(())
    }

    /// Reads and parses batch by batch; `work` also gets the number of input items in the batch and
    /// the number of sources read so far.
    fn each_batch<P: PageBytes + Send>(
        &mut self,
        pages: Pages,
        parse: impl Fn(Item) -> Outcome<P> + Send + Sync,
        mut work: impl FnMut(&mut Self, Vec<P>, usize, usize) -> Result<(), CleanError>,
    ) -> Result<(), CleanError> {
        let (progress, workers) = (&self.options.progress, self.workers);
        each_batch(pages, workers, progress, parse, |outcomes, sources| {
            let items = outcomes.len();
            let batch = self.sort_out(outcomes, progress);
            work(self, batch, items, sources)
        })
    }

    /// Separates pages from skipped items.
    fn sort_out<P: PageBytes>(&mut self, outcomes: Vec<Outcome<P>>, progress: &Progress) -> Vec<P> {
        let mut batch = Vec::with_capacity(outcomes.len());
        let mut bytes = 0;
        for outcome in outcomes {
            match outcome {
                Outcome::Page(page) => {
                    bytes += page.page_bytes() as u64;
                    batch.push(page);
                }
                Outcome::Skipped(skipped) => {
                    self.summary.skip(&skipped);
                    if let SkipReason::Broken(_) = skipped.reason {
                        self.broken.insert(skipped.name.clone());
                    }
                    if progress.pass() != Pass::Cleaning {
                        self.sink.skipped(&skipped);
                    }
                }
            }
        }
        progress.add(batch.len() as u64, bytes);
        batch
    }

    /// Counts a page that nothing is learned from.
    fn pass_by(&mut self, page: &Unparsed) -> Result<(), StoreError> {
        let (bytes, summary) = (page.raw.body.len() as u64, &mut self.summary);
        let site = &page.raw.site;
        summary.meet(site);
        summary.bytes += bytes;
        let count = |_: &mut dyn Memory, visit: Visit<'_>| {
            match visit.former {
                None => summary.new += 1,
                Some(_) => summary.changed += 1,
            }
            Vec::new()
        };
        let sites = &mut self.sites;
        let is_new = sites.visit(site, page.identity, page.content, bytes, count)?;
        self.summary.unchanged += u64::from(!is_new);
        Ok(())
    }

    fn learn(
        &mut self,
        parsed: &Parsed<View>,
        key: &str,
        places: Option<TextPlaces>,
    ) -> Result<(), StoreError> {
        let bytes = parsed.page.bytes().len() as u64;
        let survey = self.options.survey.as_deref();
        let (engine, summary) = (self.engine, &mut self.summary);
        summary.meet(&parsed.raw.site);
        summary.bytes += bytes;
        if is_duplicate(survey, parsed) {
            // An earlier run may have learned it into the state.
            return self.sites.forget(key, parsed.identity).map(|_| ());
        }
        let is_learned = self.sites.visit(
            key,
            parsed.identity,
            parsed.content,
            bytes,
            |memory, visit| {
                match visit.former {
                    None => summary.new += 1,
                    Some(_) => summary.changed += 1,
                }
                engine.learn(memory, &parsed.page, &parsed.view, visit)
            },
        )?;
        self.summary.unchanged += u64::from(!is_learned);
        if let (true, Some(watch), Some(places)) = (is_learned, &mut self.drift, places) {
            let designs = self.sites.designs_mut(key).expect("just learned");
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

    fn emit(&mut self, rendered: impl IntoIterator<Item = Rendered>) -> Result<(), CleanError> {
        for page in rendered {
            let summary = &mut self.summary;
            summary.pages += 1;
            summary.length += page.length;
            summary.template_length += page.template_length;
            for flag in page.flags {
                *summary.flags.entry(flag.name()).or_default() += 1;
            }
            self.sink.write(page.output).map_err(CleanError::Output)?;
        }
        Ok(())
    }
}

/// A page that is not parsed yet.
fn unparsed(item: Item) -> Outcome<Box<Unparsed>> {
    match item {
        Item::Page(raw) => Outcome::Page(Box::new(Unparsed::of(raw))),
        Item::Skipped(skipped) => Outcome::Skipped(skipped),
    }
}

/// A page that is parsed only when it is labelled.
fn hold_unparsed(item: Item) -> Outcome<Held> {
    match unparsed(item) {
        Outcome::Page(page) => Outcome::Page(Held::Unparsed(page)),
        Outcome::Skipped(skipped) => Outcome::Skipped(skipped),
    }
}

/// The key of the memory of a page's site, or of its cluster in the site.
fn memory_key<'a>(
    survey: Option<&Survey>,
    raw: &'a RawPage,
    identity: Fingerprint,
) -> Cow<'a, str> {
    match survey {
        Some(survey) => survey.assignment(&raw.site, identity).memory_key(&raw.site),
        None => Cow::Borrowed(&raw.site),
    }
}

/// True if a survey has clustered the pages.
fn survey_clusters(options: &CleanOptions) -> bool {
    let survey = options.survey.as_deref();
    survey.is_some_and(|survey| survey.clusters().is_some())
}

fn is_duplicate<V>(survey: Option<&Survey>, parsed: &Parsed<V>) -> bool {
    survey.is_some_and(|survey| {
        let assigned = survey.assignment(&parsed.raw.site, parsed.identity);
        assigned.duplicate
    })
}

/// True if the layout of a page differs from the earlier ones.
fn is_drifted(drift: Option<&DriftWatch>, parsed: &Parsed<View>) -> bool {
    drift.is_some_and(|drift| drift.has(parsed.identity))
}

/// Labels a page, and renders it for the sink.
fn finish(
    sink: &dyn ErasedSink,
    engine: &dyn Engine,
    parsed: Parsed<View>,
    draft: Draft,
    drift: bool,
    options: &CleanOptions,
) -> Rendered {
    let about = Circumstances {
        site: Some(&parsed.raw.site),
        truncated: parsed.raw.truncated,
        undecodable: parsed.raw.undecodable,
        wrong_digest: parsed.raw.wrong_digest.is_some(),
        duplicate: is_duplicate(options.survey.as_deref(), &parsed),
        drift,
    };
    let verdict = draft.finish(engine, &parsed.page, &options.overrides, about);
    let page = CleanPage::new(Arc::new(parsed.page), verdict);
    Rendered {
        output: sink.render(&parsed.raw, &page),
        length: page.labels().length(),
        template_length: page.labels().template_length(),
        flags: page.flags().to_vec(),
    }
}
