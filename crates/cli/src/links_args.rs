//! The parameters of `links` as flags.

use unframe::links::{ClassRule, IdRule, MenuRule, TextRule};
use unframe::{LinksParams, LinksPreset};

/// Parameters of `links`, named as in the thesis (Alarte, 2014)
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Parameters of links")]
pub struct LinksArgs {
    /// Pages that KEY is compared with [default: 3; alarte-best: 8]
    #[arg(long, value_name = "PAGES")]
    n: Option<u32>,

    /// Of how many of them a part of the page must be to be template [default: 2, or --n if that
    /// is less; alarte-best: 4]
    #[arg(long, value_name = "PAGES")]
    t: Option<u32>,

    /// Where links are followed first: anywhere in the page, as far from each other as can be, or in
    /// the menu, which is where they are densest [default: page]
    #[arg(long, value_name = "page|density")]
    menu: Option<MenuRule>,

    /// Replace pages that do not follow the template by others
    #[arg(long)]
    replace_atypical: bool,

    /// Leave out the main content, where most of the text is, before pages are compared
    #[arg(long)]
    drop_main_content: bool,

    /// Pages that are asked for, at most [default: 20 for each of --n]
    #[arg(long, value_name = "PAGES")]
    max_loads: Option<usize>,

    /// Links of KEY that are looked at, the most relevant first [default: 2000]
    #[arg(long, value_name = "LINKS")]
    max_links: Option<usize>,

    /// How much equal classes weigh when two elements are compared; the four weights together make
    /// 1 [default: 0.5]
    #[arg(long, visible_alias = "wc", value_name = "SHARE")]
    weight_classes: Option<f64>,

    /// … the place among the siblings [default: 0.2]
    #[arg(long, visible_alias = "wp", value_name = "SHARE")]
    weight_position: Option<f64>,

    /// … the names of other attributes [default: 0.2]
    #[arg(long, visible_alias = "wa", value_name = "SHARE")]
    weight_attributes: Option<f64>,

    /// … the number of children [default: 0.1]
    #[arg(long, visible_alias = "wch", value_name = "SHARE")]
    weight_children: Option<f64>,

    /// How much alike two elements without classes are in their classes [default: 0.85]
    #[arg(long, value_name = "SHARE")]
    pnc: Option<f64>,

    /// … without attributes, in their attributes [default: 0.25]
    #[arg(long, value_name = "SHARE")]
    pna: Option<f64>,

    /// … without children, in their number of children [default: 1]
    #[arg(long, value_name = "SHARE")]
    pnch: Option<f64>,

    /// Elements can be the same only if they are more alike than this [default: 0.7]
    #[arg(long, value_name = "SHARE")]
    pt: Option<f64>,

    /// Which equal ids make elements the same [default: unique-stable; alarte-…: all]
    #[arg(long, value_name = "all|unique-stable")]
    ids: Option<IdRule>,

    /// Which class names count [default: stable; alarte-…: all]
    #[arg(long, value_name = "all|stable")]
    classes: Option<ClassRule>,

    /// When a text is template: wherever there is a text on the other pages, too, or if it is the
    /// same text [default: equal; alarte-…: structural]
    #[arg(long, value_name = "structural|equal")]
    texts: Option<TextRule>,

    /// The attributes of html and body count [default: no; alarte-…: yes]
    #[arg(long, overrides_with = "no_page_attributes")]
    page_attributes: bool,

    /// They do not
    #[arg(long)]
    no_page_attributes: bool,
}

impl LinksArgs {
    /// The first of the flags that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.n.is_some(), "--n"),
            (self.t.is_some(), "--t"),
            (self.menu.is_some(), "--menu"),
            (self.replace_atypical, "--replace-atypical"),
            (self.drop_main_content, "--drop-main-content"),
            (self.max_loads.is_some(), "--max-loads"),
            (self.max_links.is_some(), "--max-links"),
            (self.weight_classes.is_some(), "--weight-classes"),
            (self.weight_position.is_some(), "--weight-position"),
            (self.weight_attributes.is_some(), "--weight-attributes"),
            (self.weight_children.is_some(), "--weight-children"),
            (self.pnc.is_some(), "--pnc"),
            (self.pna.is_some(), "--pna"),
            (self.pnch.is_some(), "--pnch"),
            (self.pt.is_some(), "--pt"),
            (self.ids.is_some(), "--ids"),
            (self.classes.is_some(), "--classes"),
            (self.texts.is_some(), "--texts"),
            (self.page_attributes, "--page-attributes"),
            (self.no_page_attributes, "--no-page-attributes"),
        ];
        let given = flags.into_iter().find(|(given, _)| *given);
        given.map(|(_, name)| name)
    }

    /// The first of the flags that was given and says which links to follow, or what to do with
    /// the pages that they lead to.
    pub fn given_for_following(&self) -> Option<&'static str> {
        let flags = [
            (self.menu.is_some(), "--menu"),
            (self.replace_atypical, "--replace-atypical"),
            (self.drop_main_content, "--drop-main-content"),
            (self.max_loads.is_some(), "--max-loads"),
            (self.max_links.is_some(), "--max-links"),
        ];
        let given = flags.into_iter().find(|(given, _)| *given);
        given.map(|(_, name)| name)
    }

    /// The parameters, as the flags change the preset's; not yet checked.
    pub fn params(&self, preset: LinksPreset) -> LinksParams {
        let mut params = preset.params();
        put(&mut params.n, self.n);
        put(&mut params.t, self.t);
        put(&mut params.menu, self.menu);
        put(&mut params.max_links, self.max_links);
        put(&mut params.weights.classes, self.weight_classes);
        put(&mut params.weights.position, self.weight_position);
        put(&mut params.weights.attributes, self.weight_attributes);
        put(&mut params.weights.children, self.weight_children);
        put(&mut params.no_classes, self.pnc);
        put(&mut params.no_attributes, self.pna);
        put(&mut params.no_children, self.pnch);
        put(&mut params.threshold, self.pt);
        put(&mut params.ids, self.ids);
        put(&mut params.classes, self.classes);
        put(&mut params.texts, self.texts);
        if self.t.is_none() {
            params.t = params.t.min(params.n.max(1));
        }
        params.max_loads = self.max_loads;
        params.replace_atypical = self.replace_atypical;
        params.drop_main_content = self.drop_main_content;
        params.page_attributes =
            (params.page_attributes || self.page_attributes) && !self.no_page_attributes;
        // How many pages a state keeps; nothing is kept of one page.
        params.keep = params.keep.max(params.n.saturating_add(1));
        params
    }
}

fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
