//! The arguments that overrule the method.

use clap::ValueEnum;
use unframe::{Overrides, Selector};

/// What overrules the method
#[derive(clap::Args)]
#[command(next_help_heading = "Whatever the method says")]
pub struct OverrideArgs {
    /// Texts inside elements that this CSS selector means always stay; may be given several times.
    /// Known are tag, #id, .class, [attr], [attr=value], :nth-of-type(N), `a b`, `a > b` and commas
    #[arg(long, value_name = "SELECTOR")]
    protect: Vec<Selector>,

    /// Whether texts go that the site's owner has marked as none of the page's own:
    /// `data-nosnippet`, and what stands between the comments `googleoff: index` and `googleon:
    /// index` [default: on, but off with --method text]
    #[arg(long, value_name = "on|off")]
    owner_marks: Option<Switch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl OverrideArgs {
    /// What overrules a method; `keeps_all` if it is one that keeps everything.
    pub fn overrides(&self, keeps_all: bool) -> Overrides {
        let usual = match keeps_all {
            true => Switch::Off,
            false => Switch::On,
        };
        Overrides {
            protect: self.protect.clone(),
            owner_marks: self.owner_marks.unwrap_or(usual) == Switch::On,
        }
    }
}
