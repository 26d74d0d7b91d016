//! What is scored: methods, and texts that other tools have kept.

use std::path::PathBuf;
use std::str::FromStr;

use unframe::MethodSpec;
use unframe_console::exit::UsageError;
use unframe_eval::{Corpus, Predictions, Site};

/// A method or a tool, under the name that the tables give it.
pub struct System {
    pub name: String,
    pub source: Source,
}

/// Where the texts of a system come from.
pub enum Source {
    /// A method, which may differ from set to set and from site to site.
    Method(Box<MakeMethod>),
    /// Another tool.
    Texts(Predictions),
}

/// The method for a site of a set, by the name of the set.
pub type MakeMethod = dyn Fn(&str, &Site) -> anyhow::Result<MethodSpec> + Send + Sync;

impl System {
    /// The same method for every site.
    pub fn method(spec: MethodSpec) -> Self {
        System {
            name: spec.to_string(),
            source: Source::Method(Box::new(move |_, _| Ok(spec.clone()))),
        }
    }

    /// The texts of a tool. A folder without a text for any page of the corpora is a wrong folder.
    pub fn tool(of: &ToolTexts, corpora: &[Corpus]) -> anyhow::Result<Self> {
        let texts = Predictions::open(&of.path)?;
        let mut sites = corpora
            .iter()
            .flat_map(|corpus| &corpus.sets)
            .flat_map(|set| {
                let sites = set.sites.iter();
                sites.map(|site| (set.name.as_str(), site))
            });
        let is_of_corpora = sites.any(|(set, site)| {
            let mut pages = site.scored();
            pages.any(|page| texts.has(set, &site.name, &page.id))
        });
        if !is_of_corpora {
            let message = format!(
                "{}: has no text for any labelled page; give a folder of <site>/<page>.txt, as in \
                 my-site/index.html.txt, or JSON lines with site, page and text",
                texts.path().display()
            );
            return Err(UsageError(message).into());
        }
        Ok(System {
            name: of.name.clone(),
            source: Source::Texts(texts),
        })
    }
}

/// `NAME=DIR`, the texts that a tool has kept.
#[derive(Clone, Debug)]
pub struct ToolTexts {
    pub name: String,
    path: PathBuf,
}

impl FromStr for ToolTexts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok(ToolTexts {
                name: name.into(),
                path: path.into(),
            }),
            _ => Err("write NAME=DIR, as in `trafilatura=texts/trafilatura`".into()),
        }
    }
}
