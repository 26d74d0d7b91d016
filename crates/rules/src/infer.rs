//! Finds the rules of a site: few selectors that agree with the labels of its pages.
//!
//! Removing rules are chosen first, one after another: the one that removes most frame that is left, and
//! little content. They work alone. Then come the elements that hold the content, by what the two kinds of
//! rules together keep and remove. Last, rules go that the others make unnecessary.
//!
//! A word counts by its page, so that a long page does not outvote the others.

use crate::pattern::{Candidate, candidates};
use crate::places::Places;
use crate::rule::{Evidence, Rule};

/// What a rule must gain: this share of the words of an average page.
const LEAST_GAIN: f64 = 0.0015;

/// What a rule that keeps may lose where it says nothing new, to be stated all the same: it tells what
/// holds the content.
const TOLERATED: f64 = 0.01;

/// Share of the words in its elements that a rule must be right about.
const LEAST_CONFIDENCE: f64 = 0.9;

/// Share of a site's content that a removing rule may take along. On a page of little content, an element
/// around nearly everything is nearly all frame.
const MOST_LOST: f64 = 0.03;

/// Words of a line.
const MOST_WORDS: u64 = 12;

/// Share of the words in an element to keep that must be content, after rules have removed what they do.
const LEAST_CONTENT: f64 = 0.6;

/// Share of the pages that an element to keep must be on, and that all of them together must be on.
const LEAST_SHARE: f64 = 0.05;
const MOST_PAGES: f64 = 0.6;

/// How many words of frame outweigh one word of content that is lost.
const LOSS: i64 = 3;

/// The same where elements to keep are chosen: there, rules of both kinds are weighed against labels.
const KEEP_LOSS: i64 = 1;

/// What plainness of a selector is worth, as a share of its gain.
const PLAINNESS: f64 = 0.02;

/// The same of one that keeps, as a share of the words of an average page.
const KEEP_PLAINNESS: f64 = 0.008;

/// What the gain of a rule about parts counts, if it could as well be about the elements around them.
const PARTIAL: f64 = 0.5;

/// From this share of removed words on, an element is removed whole.
const WHOLE: f64 = 0.98;

/// What another element to keep must be worth: this many times what a removing rule must gain.
const KEEP_GAIN: i64 = 3;

/// How much it counts what keeping rules would do without removing ones: the smaller of two containers
/// is the better one.
const ALONE: i64 = 5;

/// Most rules of each kind.
const MOST_REMOVE: usize = 40;
const MOST_KEEP: usize = 8;

/// Elements that are considered as containers of content.
const MOST_CONTAINERS: usize = 150;

/// The rules of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inferred {
    /// What holds the content.
    pub keep: Vec<Rule>,
    /// What is frame, in the order of the pages.
    pub remove: Vec<Rule>,
}

/// Finds the rules of a site.
pub(crate) fn of_places(places: &Places) -> Inferred {
    let Some(all) = Search::new(places) else {
        return Inferred::default();
    };
    let candidates = all.candidates();
    let removing = all.removing(&candidates);
    let keeping = all.keeping(&candidates, &removing);
    let (keep, mut remove) = all.needed(keeping, removing);
    remove.sort_by_key(|candidate| candidate.places[0]);
    Inferred {
        keep: keep.iter().map(|found| all.rule(found, true)).collect(),
        remove: remove.iter().map(|found| all.rule(found, false)).collect(),
    }
}

struct Search<'a> {
    places: &'a Places,
    /// What a rule must gain.
    least: i64,
    /// Pages that a rule must be seen on.
    least_pages: u64,
}

impl<'a> Search<'a> {
    fn new(places: &'a Places) -> Option<Search<'a>> {
        let pages = places.page_count();
        (places.all.len() > 1).then(|| Search {
            places,
            least: (LEAST_GAIN * places.weight() as f64) as i64,
            least_pages: match pages {
                0..4 => 1,
                pages => (pages / 100).max(2),
            },
        })
    }

    fn candidates(&self) -> Vec<Candidate> {
        let kept = self.places.sums(|place| place.kept);
        let removed = self.places.sums(|place| place.removed);
        let least = self.least / 5;
        let mut found = candidates(self.places, |at| {
            kept[at as usize].max(removed[at as usize]) >= least
        });
        found.retain(|candidate| self.places.support(&candidate.places) >= self.least_pages);
        found
    }

    /// Kept and removed words in the elements of a rule.
    fn words(&self, candidate: &Candidate) -> (u64, u64) {
        let mut sum = (0, 0);
        for top in &candidate.top {
            let end = self.places.all[*top as usize].end as usize;
            for place in &self.places.all[*top as usize..end] {
                sum.0 += place.kept_words;
                sum.1 += place.removed_words;
            }
        }
        sum
    }

    /// Removing rules, each the best there is after those before it.
    fn removing<'c>(&self, candidates: &'c [Candidate]) -> Vec<&'c Candidate> {
        let kept_words: u64 = self.places.all.iter().map(|place| place.kept_words).sum();
        let is_right = |candidate: &&Candidate| {
            let (kept, removed) = self.words(candidate);
            removed as f64 >= LEAST_CONFIDENCE * (kept + removed).max(1) as f64
                && kept as f64 <= MOST_LOST * kept_words as f64
        };
        let mut gone = vec![false; self.places.all.len()];
        let mut chosen: Vec<&Candidate> = Vec::new();
        let sure: Vec<&Candidate> = candidates.iter().filter(is_right).collect();
        self.choose(&sure, LOSS, &mut gone, &mut chosen);
        // A line such as "You are here: Home > Lamps" repeats in part. It goes if that is more than half.
        let is_line = |candidate: &&Candidate| {
            let (kept, removed) = self.words(candidate);
            let pages = self.places.support(&candidate.places);
            2 * removed > kept + removed
                && kept + removed <= MOST_WORDS * pages
                && 2 * pages >= self.places.page_count()
                && kept as f64 <= MOST_LOST * kept_words as f64
        };
        let lines: Vec<&Candidate> = candidates.iter().filter(is_line).collect();
        self.choose(&lines, 1, &mut gone, &mut chosen);
        chosen
    }

    /// Chooses rules as long as there is one that gains enough of what is not `gone` yet.
    fn choose<'c>(
        &self,
        candidates: &[&'c Candidate],
        loss: i64,
        gone: &mut [bool],
        chosen: &mut Vec<&'c Candidate>,
    ) {
        let is_partial = self.partial();
        let factor = |candidate: &Candidate| {
            let plainness = 1.0 - PLAINNESS * candidate.cost;
            if is_partial(candidate) {
                PARTIAL * plainness
            } else {
                plainness
            }
        };
        let factors: Vec<f64> = candidates
            .iter()
            .map(|candidate| factor(candidate))
            .collect();
        while chosen.len() < MOST_REMOVE {
            let left = |own: i64, at: usize| if gone[at] { 0 } else { own };
            let mut gains: Vec<i64> = (self.places.all.iter().enumerate())
                .map(|(at, place)| left(place.removed - loss * place.kept, at))
                .collect();
            for at in (1..gains.len()).rev() {
                gains[self.places.all[at].parent as usize] += gains[at];
            }
            let best = candidates
                .iter()
                .zip(&factors)
                .map(|(candidate, factor)| {
                    let gain: i64 = candidate.top.iter().map(|top| gains[*top as usize]).sum();
                    (gain, gain as f64 * factor, *candidate)
                })
                .filter(|(gain, ..)| *gain >= self.least)
                // The first of equals: they are sorted by cost.
                .reduce(|best, next| if next.1 > best.1 { next } else { best });
            let Some((_, _, best)) = best else {
                break;
            };
            for top in &best.top {
                let end = self.places.all[*top as usize].end as usize;
                gone[*top as usize..end].fill(true);
            }
            chosen.push(best);
        }
    }

    /// Whether a selector is about links, items and the like in elements that are removed whole. Those
    /// elements are the better rule: their parts may be styled like others.
    fn partial(&self) -> impl Fn(&Candidate) -> bool {
        let kept = self.places.sums(|place| place.kept);
        let removed = self.places.sums(|place| place.removed);
        let is_whole = move |at: u32| {
            let (kept, removed) = (kept[at as usize], removed[at as usize]);
            at > 0 && removed as f64 >= WHOLE * (kept + removed) as f64
        };
        move |candidate| {
            let around = |top: &&u32| is_whole(self.places.all[**top as usize].parent);
            let inside = candidate.top.iter().filter(around).count();
            !candidate.pattern.names_a_whole() && 2 * inside > candidate.top.len()
        }
    }

    /// Elements that hold the content.
    fn keeping<'c>(
        &self,
        candidates: &'c [Candidate],
        remove: &[&'c Candidate],
    ) -> Vec<&'c Candidate> {
        let gone = self.removed_in(remove);
        let mut containers: Vec<(u64, &Candidate)> = candidates
            .iter()
            .filter(|candidate| candidate.pattern.is_container())
            .filter(|candidate| self.share_of_pages(&[*candidate]) >= LEAST_SHARE)
            .map(|candidate| (self.words(candidate), candidate))
            .filter(|((kept, removed), candidate)| {
                let left = removed.saturating_sub(gone(candidate));
                *kept as f64 >= LEAST_CONTENT * (kept + left).max(1) as f64
            })
            .map(|((kept, _), candidate)| (kept, candidate))
            .collect();
        containers.sort_by_key(|(kept, _)| std::cmp::Reverse(*kept));
        let named = containers.iter().filter(|(_, c)| c.pattern.is_named());
        let named: Vec<&Candidate> = named.map(|(_, candidate)| *candidate).collect();
        let any: Vec<&Candidate> = containers.iter().map(|(_, candidate)| *candidate).collect();
        // Names last longer than positions.
        let by_name = self.containers(&named, remove);
        match by_name.is_empty() {
            false => by_name,
            true => self.containers(&any, remove),
        }
    }

    /// Chooses elements to keep, as long as each adds something; none if they lose too much.
    fn containers<'c>(
        &self,
        candidates: &[&'c Candidate],
        remove: &[&'c Candidate],
    ) -> Vec<&'c Candidate> {
        let candidates = &candidates[..candidates.len().min(MOST_CONTAINERS)];
        let value = |keep: &[&Candidate]| {
            let costs: f64 = keep.iter().map(|candidate| candidate.cost).sum();
            let cost = (costs * KEEP_PLAINNESS * self.places.weight() as f64) as i64;
            ALONE * self.agreement(keep, remove) + self.agreement(keep, &[]) - cost
        };
        let mut chosen: Vec<&Candidate> = Vec::new();
        let mut best = i64::MIN;
        while chosen.len() < MOST_KEEP {
            let next = candidates
                .iter()
                .filter(|next| !chosen.iter().any(|known| known.pattern == next.pattern))
                .map(|next| {
                    let mut with = chosen.clone();
                    with.push(*next);
                    (value(&with), *next)
                })
                .reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((worth, next)) = next else {
                break;
            };
            if !chosen.is_empty() && worth < best + KEEP_GAIN * self.least {
                break;
            }
            best = worth;
            chosen.push(next);
        }
        // Only together they can be as good as the removing rules alone.
        let tolerated = (TOLERATED * self.places.weight() as f64) as i64;
        let is_as_good = self.agreement(&chosen, remove) >= self.agreement(&[], remove) - tolerated;
        match is_as_good && self.share_of_pages(&chosen) >= MOST_PAGES {
            true => chosen,
            false => Vec::new(),
        }
    }

    /// The share of the pages that have an element of these.
    fn share_of_pages(&self, candidates: &[&Candidate]) -> f64 {
        let places: Vec<u32> = candidates.iter().flat_map(|c| c.places.clone()).collect();
        self.places.support(&places) as f64 / self.places.page_count().max(1) as f64
    }

    /// The removed words in the elements of a candidate that rules remove.
    fn removed_in(&self, remove: &[&Candidate]) -> impl Fn(&Candidate) -> u64 {
        let mut words = vec![0u64; self.places.all.len() + 1];
        for top in remove.iter().flat_map(|candidate| &candidate.top) {
            let end = self.places.all[*top as usize].end as usize;
            for at in *top as usize..end {
                words[at + 1] = self.places.all[at].removed_words;
            }
        }
        // From here on, the words of all places before each.
        for at in 1..words.len() {
            words[at] += words[at - 1];
        }
        move |candidate| {
            let inside = candidate.top.iter().map(|top| {
                let end = self.places.all[*top as usize].end as usize;
                words[end] - words[*top as usize]
            });
            inside.sum()
        }
    }

    /// Leaves out rules without which the others say the same.
    fn needed<'c>(
        &self,
        mut keep: Vec<&'c Candidate>,
        mut remove: Vec<&'c Candidate>,
    ) -> (Vec<&'c Candidate>, Vec<&'c Candidate>) {
        let least = self.least / 2;
        let mut at = remove.len();
        while at > 0 {
            at -= 1;
            let mut others = remove.clone();
            others.remove(at);
            let is_same = |keep: &[&Candidate]| {
                self.agreement(keep, &others) >= self.agreement(keep, &remove) - least
            };
            if is_same(&keep) && is_same(&[]) {
                remove = others;
            }
        }
        let mut at = keep.len();
        while at > 0 && keep.len() > 1 {
            at -= 1;
            let mut others = keep.clone();
            others.remove(at);
            if self.agreement(&others, &remove) >= self.agreement(&keep, &remove) - least {
                keep = others;
            }
        }
        (keep, remove)
    }

    /// The weight of the words that rules treat as the labels do.
    fn agreement(&self, keep: &[&Candidate], remove: &[&Candidate]) -> i64 {
        #[derive(Clone, Copy, PartialEq)]
        enum Said {
            Nothing,
            Keep,
            Remove,
        }
        let places = self.places;
        let mut said = vec![Said::Nothing; places.all.len()];
        for place in keep.iter().flat_map(|candidate| &candidate.places) {
            said[*place as usize] = Said::Keep;
        }
        for place in remove.iter().flat_map(|candidate| &candidate.places) {
            said[*place as usize] = Said::Remove;
        }
        for at in 1..said.len() {
            if said[at] == Said::Nothing {
                said[at] = said[places.all[at].parent as usize];
            }
        }
        let held: Vec<u32> = keep.iter().flat_map(|c| c.places.iter().copied()).collect();
        let held = places.pages_with(&held);
        let mut sum = 0;
        for (number, page) in places.pages.iter().enumerate() {
            let has_content = held[number / 64] >> (number % 64) & 1 == 1;
            for (place, kept, removed) in page {
                let keeps = match said[*place as usize] {
                    Said::Keep => true,
                    Said::Remove => false,
                    Said::Nothing => !has_content,
                };
                sum += if keeps { KEEP_LOSS * kept } else { *removed };
            }
        }
        sum
    }

    fn rule(&self, candidate: &Candidate, keeps: bool) -> Rule {
        let (kept, removed) = self.words(candidate);
        let right = if keeps { kept } else { removed };
        let example = self.example(candidate);
        let selector = candidate.pattern.to_string();
        Rule {
            selector: selector.parse().expect("only supported selectors are made"),
            evidence: Some(Evidence {
                pages: self.places.support(&candidate.places),
                of_pages: self.places.page_count(),
                confidence: right as f64 / (kept + removed).max(1) as f64,
                example,
            }),
        }
    }

    /// The text of the place with most words.
    fn example(&self, candidate: &Candidate) -> String {
        let words = |top: &u32| -> u64 {
            let end = self.places.all[*top as usize].end as usize;
            let below = self.places.all[*top as usize..end].iter();
            below
                .map(|place| place.kept_words + place.removed_words)
                .sum()
        };
        let most = candidate.top.iter().max_by_key(|top| words(top));
        most.map_or(String::new(), |top| {
            self.places.all[*top as usize].example.clone()
        })
    }
}
