//! The argument that replaces the method by rules.

use std::path::PathBuf;
use std::sync::Arc;

use unframe::methods::MethodSpec;
use unframe::rules::RuleSet;
use unframe_console::exit::UsageError;
use unframe_console::method_args::{MethodArgs, WHAT_IS_REMOVED};

/// Rules instead of a method
#[derive(clap::Args)]
pub struct RulesArgs {
    /// Keep and remove by the selectors in this file, instead of a method; nothing is learned
    ///
    /// `unframe rules` writes such files. In a file, `keep { }` and `remove { }` contain one CSS selector on
    /// each line, and `@site NAME;` begins the rules of a site: a host, a domain or a folder. The innermost
    /// element that a rule names decides on a text. Other text is removed if the page has text in an
    /// element to keep. If not, it is kept, and the page is flagged `rules-unmatched`.
    #[arg(long, value_name = "FILE", help_heading = WHAT_IS_REMOVED)]
    rules: Option<PathBuf>,
}

impl RulesArgs {
    /// Reads the file, if one is named.
    pub fn read(&self) -> anyhow::Result<Option<Arc<RuleSet>>> {
        let Some(path) = &self.rules else {
            return Ok(None);
        };
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| UsageError(format!("cannot read the rules {shown}: {error}")))?;
        let rules =
            RuleSet::parse(&text).map_err(|error| UsageError(format!("{shown}, {error}")))?;
        let is_empty = |s: &unframe::rules::SiteRules| s.keep.is_empty() && s.remove.is_empty();
        if rules.sections.iter().all(is_empty) {
            let message = format!(
                "{shown}: contains no rule; write selectors between `remove {{` and `}}`, or make rules with \
                 `unframe rules PAGES -o {shown}`"
            );
            return Err(UsageError(message).into());
        }
        Ok(Some(Arc::new(rules)))
    }

    /// The method below the rules, which keeps everything. Refuses flags that would have no effect; `other`
    /// is one of the command's own.
    pub fn spec(&self, method: &MethodArgs, other: Option<&str>) -> Result<MethodSpec, UsageError> {
        if let Some(flag) = method.first_given().or(other) {
            return Err(UsageError(format!(
                "{flag} has no effect with --rules, which uses the rules alone; leave out one of them"
            )));
        }
        MethodSpec::new("text", &[]).map_err(UsageError)
    }
}
