//! The arguments that override the method.

use clap::ValueEnum;
use unframe::methods::{Auto, Method};
use unframe::page::Selector;
use unframe::{Comments, Overrides};
use unframe_console::exit::UsageError;
use unframe_console::method_args::WHAT_IS_REMOVED;

/// Overrides of the method
#[derive(clap::Args)]
pub struct OverrideArgs {
    /// Always keep text inside elements that match this CSS selector. Repeatable
    ///
    /// Supported are tag, #id, .class, [attr], [attr=value], :nth-of-type(N), `a b`, `a > b` and commas.
    #[arg(long, value_name = "SELECTOR", help_heading = WHAT_IS_REMOVED)]
    protect: Vec<Selector>,

    /// Always remove text inside elements that match this CSS selector, unless --protect keeps it.
    /// Repeatable
    #[arg(long, value_name = "SELECTOR", help_heading = WHAT_IS_REMOVED)]
    remove_selector: Vec<Selector>,

    /// Remove text that the site's owner has marked as not the page's own [default: on, but off with
    /// --method text]
    ///
    /// The marks are `data-nosnippet`, and the comments `googleoff: index` and `googleon: index`.
    #[arg(long, value_name = "on|off", hide_possible_values = true, help_heading = WHAT_IS_REMOVED)]
    owner_marks: Option<Switch>,

    /// What to do with readers' comments: `drop` them as frame, `keep` them beside the page's own text,
    /// or keep `only` them
    ///
    /// Kept comments are listed in JSON records. With `only`, a page without comments is empty and not
    /// flagged for it. Only the method `auto` finds comments.
    #[arg(long, value_name = "drop|keep|only", help_heading = WHAT_IS_REMOVED, default_value = "drop", hide_possible_values = true)]
    comments: CommentsArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CommentsArg {
    Drop,
    Keep,
    Only,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl OverrideArgs {
    /// Refuses to keep comments with a method that does not find them.
    pub fn check(&self, method: &str) -> Result<(), UsageError> {
        match self.comments {
            CommentsArg::Drop => Ok(()),
            _ if method == Auto::NAME => Ok(()),
            _ => Err(UsageError(format!(
                "--comments needs the method `auto`, because `{method}` does not find comments; leave \
                 out --method, or --comments"
            ))),
        }
    }

    /// The overrides that were given.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            protect: self.protect.clone(),
            remove: self.remove_selector.clone(),
            rules: None,
            owner_marks: self.owner_marks.map(|marks| marks == Switch::On),
            comments: match self.comments {
                CommentsArg::Drop => Comments::Drop,
                CommentsArg::Keep => Comments::Keep,
                CommentsArg::Only => Comments::Only,
            },
        }
    }
}
