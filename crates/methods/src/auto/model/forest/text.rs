//! A forest as lines of text.
//!
//! ```text
//! forest trees=2 bias=-0.25 sure=3.5 below=1.1*3.8,1.25*2.4 above=1.5*3.6
//! 3>0.5 17>12 -; -0.2 0.1 0.3 0; 120 80 5 0
//! 4>-1; 0.01 -0.02; 100 112
//! ```
//!
//! `sure`, `below` and `above` are optional. The last two are the early exits of rows below and above 0,
//! after 16 trees, after 32, and so on: the threshold, and what the remaining trees would multiply the
//! score by. Each tree is one line: its splits as feature and threshold, or `-` for none, its leaves, their
//! covers. Levels at the end may be left out. Numbers are the shortest decimals that parse to the same
//! value.

use std::fmt::Write;

use super::{EarlyExit, EarlyExits, Forest, Split, Tree};

impl Forest {
    /// The forest as text, which [`Forest::parse`] reads back unchanged.
    pub fn to_text(&self) -> String {
        let (count, bias) = (self.trees.len(), self.bias);
        let mut text = format!("forest trees={count} bias={bias}");
        if self.sure.is_finite() {
            let _ = write!(text, " sure={}", self.sure);
        }
        for (side, early_exits) in [
            (BELOW, &self.early_exits.below),
            (ABOVE, &self.early_exits.above),
        ] {
            for (at, early_exit) in early_exits.iter().enumerate() {
                let gap = if at == 0 { side } else { "," };
                let _ = write!(text, "{gap}{}*{}", early_exit.threshold, early_exit.scale);
            }
        }
        text.push('\n');
        for tree in &self.trees {
            for (at, split) in tree.splits.iter().enumerate() {
                let gap = if at == 0 { "" } else { " " };
                // Writing to a string cannot fail.
                let _ = if *split == Split::NONE {
                    write!(text, "{gap}-")
                } else {
                    write!(text, "{gap}{}>{}", split.feature, split.threshold)
                };
            }
            for numbers in [&tree.leaves, &*tree.covers] {
                text.push(';');
                for number in numbers {
                    let _ = write!(text, " {number}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// Parses the output of [`Forest::to_text`]; the error names the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let head = head(lines.next().unwrap_or_default());
        let (count, mut forest) = head.map_err(|why| format!("line 1: {why}"))?;
        forest.trees.reserve_exact(count);
        for (at, line) in lines.enumerate() {
            let in_line = |why| format!("line {}: {why}", at + 2);
            if at == count {
                return Err(in_line(format!("more than the {count} trees of line 1")));
            }
            forest.trees.push(tree(line).map_err(in_line)?);
        }
        if forest.trees.len() < count {
            let found = forest.trees.len();
            return Err(format!(
                "line {}: the text ends after {found} of {count} trees",
                found + 1
            ));
        }
        Ok(forest)
    }
}

/// How many trees follow, and the forest without them.
fn head(line: &str) -> Result<(usize, Forest), String> {
    let fields = line
        .strip_prefix("forest trees=")
        .and_then(|rest| rest.split_once(" bias="));
    let Some((trees, rest)) = fields else {
        return Err("expected `forest trees=COUNT bias=NUMBER`".to_owned());
    };
    let (rest, above) = early_exits(rest, ABOVE)?;
    let (rest, below) = early_exits(rest, BELOW)?;
    let (bias, sure) = match rest.split_once(" sure=") {
        Some((bias, sure)) => (bias, number(sure)?),
        None => (rest, f32::INFINITY),
    };
    if sure <= 0.0 {
        return Err(format!("sure is {sure}, but must be above 0"));
    }
    let forest = Forest {
        bias: number(bias)?,
        sure,
        early_exits: EarlyExits { below, above },
        ..Forest::default()
    };
    Ok((count(trees)?, forest))
}

/// The keys of the early exits of rows below 0, and of those above.
const BELOW: &str = " below=";
const ABOVE: &str = " above=";

/// The line before the early exits of one side, and these exits.
fn early_exits<'a>(line: &'a str, side: &str) -> Result<(&'a str, Vec<EarlyExit>), String> {
    let Some((rest, early_exits)) = line.split_once(side) else {
        return Ok((line, Vec::new()));
    };
    let early_exits: Result<_, String> = early_exits.split(',').map(early_exit).collect();
    Ok((rest, early_exits?))
}

fn early_exit(word: &str) -> Result<EarlyExit, String> {
    let Some((threshold, scale)) = word.split_once('*') else {
        return Err(format!("`{}` is not THRESHOLD*SCALE", excerpt(word)));
    };
    let (threshold, scale) = (number(threshold)?, number(scale)?);
    if threshold <= 0.0 || scale < 1.0 {
        return Err(format!(
            "early exit {threshold}*{scale}: the threshold must be above 0, the scale at least 1"
        ));
    }
    Ok(EarlyExit { threshold, scale })
}

fn count(word: &str) -> Result<usize, String> {
    let count: usize = word
        .parse()
        .map_err(|_| format!("`{}` is not a number of trees", excerpt(word)))?;
    if count > Forest::MAX_TREES {
        let most = Forest::MAX_TREES;
        return Err(format!("{count} trees, but at most {most} are allowed"));
    }
    Ok(count)
}

fn tree(line: &str) -> Result<Tree, String> {
    let mut parts = line.split(';');
    let (Some(splits), Some(leaves), Some(covers), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err("expected `SPLITS; LEAVES; COVERS`".to_owned());
    };
    let most = Tree::SPLITS;
    let splits = words(splits, most, split)?;
    if splits.len() > most {
        return Err(format!("more than {most} splits"));
    }
    let count = splits.len() + 1;
    if !count.is_power_of_two() {
        return Err(format!("{} splits do not fill their levels", splits.len()));
    }
    let leaves = numbers(leaves, count, "leaves")?;
    let covers = numbers(covers, count, "covers")?;
    let is_whole = |cover: f32| f64::from(cover as u32) == f64::from(cover);
    if let Some(cover) = covers.iter().find(|cover| !is_whole(**cover)) {
        return Err(format!("the cover {cover} is not a whole number"));
    }
    Ok(Tree::new(&splits, &leaves, &covers))
}

fn split(word: &str) -> Result<Split, String> {
    if word == "-" {
        return Ok(Split::NONE);
    }
    let Some((feature, threshold)) = word.split_once('>') else {
        return Err(format!("`{}` is not FEATURE>NUMBER", excerpt(word)));
    };
    let most = Forest::MAX_FEATURES;
    let feature = feature
        .parse()
        .ok()
        .filter(|feature| usize::from(*feature) < most)
        .ok_or_else(|| format!("`{}` is not a feature below {most}", excerpt(feature)))?;
    Ok(Split {
        feature,
        threshold: number(threshold)?,
    })
}

fn numbers(text: &str, count: usize, what: &str) -> Result<Vec<f32>, String> {
    let found = words(text, count, number)?;
    if found.len() == count {
        return Ok(found);
    }
    let how = if found.len() < count { "fewer" } else { "more" };
    Err(format!("{how} than {count} {what}"))
}

/// Parses words, at most one more than `most`.
fn words<T>(
    text: &str,
    most: usize,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut found = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if found.len() > most {
            break;
        }
        found.push(read(word)?);
    }
    Ok(found)
}

fn number(word: &str) -> Result<f32, String> {
    word.parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
        .ok_or_else(|| format!("`{}` is not a finite number", excerpt(word)))
}

/// Enough of a wrong word to find it in the file.
fn excerpt(word: &str) -> String {
    word.chars().take(24).collect()
}
