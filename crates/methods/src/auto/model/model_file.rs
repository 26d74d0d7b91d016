//! The model as a text file.
//!
//! The file starts with notes on how the model was made, then names its features, then lists its
//! forests. A reader maps the names to the columns of this version. The model of this version is turned
//! into bytes by the build script, because parsing it took most of the start of a run.

use std::fmt::Write;

use super::features::features;
use super::forest::Forest;
use super::sections::{FORESTS, sections};
use super::{Decision, Model};

/// The first line of a model file. Another number is another format.
const MAGIC: &str = "unframe model 8";

impl Model {
    pub(super) fn read_built_in() -> Result<Model, String> {
        macro_rules! made {
            ($name:literal) => {
                concat!(env!("OUT_DIR"), "/auto.", $name)
            };
        }
        Model::read(include_str!(made!("head")), || {
            Forest::all_from_bytes(include_bytes!(made!("forests")))
                .and_then(|forests| forests.try_into().ok())
                .ok_or_else(|| "the built-in forests are damaged".into())
        })
    }

    /// Writes the model file.
    pub fn to_text(&self) -> String {
        let mut out = format!("{MAGIC}\n");
        for (name, value) in &self.notes {
            let _ = writeln!(out, "note {name}: {value}");
        }
        let Decision {
            f1_share: [share, share_prose],
            f1_share_alone: [alone, alone_prose],
            min_keep,
            max_keep,
            template,
            record_value,
            post,
        } = self.decision;
        let _ = writeln!(
            out,
            "decision {share} {share_prose} {alone} {alone_prose} {min_keep} {max_keep} {template} {record_value} {post}"
        );
        let names: Vec<&str> = features()
            .iter()
            .map(|feature| feature.name.as_str())
            .collect();
        let _ = writeln!(out, "features {}", names.join(" "));
        for (name, forest) in FORESTS.iter().zip(self.forests()) {
            let _ = write!(out, "[{name}]\n{}", forest.to_text());
        }
        out
    }

    /// Reads a model file; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Model, String> {
        if text.lines().next() != Some(MAGIC) {
            return Err(format!("the first line is not `{MAGIC}`"));
        }
        let (head, texts) = sections(text)?;
        Model::read(head, || {
            let mut forests = std::array::from_fn(|_| Forest::default());
            for (forest, text) in forests.iter_mut().zip(texts) {
                *forest = Forest::parse(text)?;
            }
            Ok(forests)
        })
    }

    /// Reads the part before the forests, then the forests.
    fn read(
        head: &str,
        forests: impl FnOnce() -> Result<[Forest; FORESTS.len()], String>,
    ) -> Result<Model, String> {
        let mut lines = head.lines();
        lines.next();
        let mut model = Model::default();
        let mut columns = None;
        for line in lines {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("note", note) => {
                    let (name, value) = note.split_once(": ").ok_or(format!("bad note: {note}"))?;
                    model.notes.push((name.into(), value.into()));
                }
                ("decision", numbers) => model.decision = parse_decision(numbers)?,
                ("features", names) => columns = Some(columns_of(names)?),
                (other, _) => return Err(format!("unknown keyword `{other}`")),
            }
        }
        let columns = columns.ok_or("the line `features` is missing")?;
        let [boilerplate, template, comments, kinds @ ..] = forests()?;
        model.boilerplate = boilerplate;
        model.template = template;
        model.comments = comments;
        model.kinds = kinds;
        for forest in model.forests_mut() {
            remap(forest, &columns)?;
        }
        Ok(model)
    }
}

fn parse_decision(numbers: &str) -> Result<Decision, String> {
    let parsed: Result<Vec<f32>, _> = numbers.split(' ').map(str::parse).collect();
    let parsed = parsed.map_err(|_| format!("bad decision: {numbers}"))?;
    let [
        share,
        share_prose,
        alone,
        alone_prose,
        min_keep,
        max_keep,
        template,
        record_value,
        post,
    ] = parsed[..]
    else {
        return Err(format!("expected nine numbers for the decision: {numbers}"));
    };
    Ok(Decision {
        f1_share: [share, share_prose],
        f1_share_alone: [alone, alone_prose],
        min_keep,
        max_keep,
        template,
        record_value,
        post,
    })
}

/// The columns of the named features.
fn columns_of(names: &str) -> Result<Vec<u16>, String> {
    let features = features();
    let is_called = |at: &usize, name: &str| features[*at].name == name;
    let column = |(at, name)| {
        // Most model files have the columns of this version.
        let same = (at < features.len()).then_some(at);
        same.filter(|at| is_called(at, name))
            .or_else(|| (0..features.len()).find(|at| is_called(at, name)))
            .map(|at| at as u16)
            .ok_or_else(|| format!("unknown feature `{name}`"))
    };
    names.split(' ').enumerate().map(column).collect()
}

/// Numbers the features of a forest as the columns of this version.
fn remap(forest: &mut Forest, columns: &[u16]) -> Result<(), String> {
    forest.remap_features(|feature| {
        let column = columns.get(usize::from(feature));
        column
            .copied()
            .ok_or_else(|| format!("feature {feature} has no name"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_this_version_can_be_read() {
        let model = Model::parse(include_str!("../../../model/auto.txt")).unwrap();
        assert_eq!(*Model::built_in(), model);
        assert_eq!(Model::parse(&model.to_text()).unwrap(), model);
    }

    #[test]
    fn another_version_is_refused_before_its_forests_are_read() {
        let other = "unframe model 1\n[boilerplate]\nforest\n[template]\nforest\n";
        let message = format!("the first line is not `{MAGIC}`");
        assert_eq!(Model::parse(other), Err(message));
    }
}
