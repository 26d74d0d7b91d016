//! The language of a code block, which highlighters state in many ways.

use unframe_dom::{Dom, NodeId, Tag};

/// Elements above a code block that may name its language: those of highlighters, which put the code
/// into a table beside the line numbers.
const MAX_ABOVE: usize = 8;

/// Names that are recognised where a class or `lang` could mean something else.
const KNOWN: &str = "\
    actionscript apache applescript asm awk bash bat batch c c# c++ clojure cmake coffeescript \
    console cpp csharp css csv cuda d dart diff django dockerfile dos elixir elm erlang fortran \
    fsharp go golang gradle graphql groovy haskell hcl html http ini java javascript jinja js \
    json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown mathematica matlab \
    nginx nix objectivec ocaml perl php postgresql powershell properties protobuf ps1 python py \
    r ruby rust sass scala scheme scss sh shell solidity sql svg swift toml tsx typescript vb \
    xml yaml zsh";

/// The language stated by the attributes of a `pre`, of the `code` in it, or of the elements around it.
pub(super) fn language(dom: &Dom, pre: NodeId) -> Option<&str> {
    let code = dom
        .children(pre)
        .take(4)
        .find(|child| dom.node(*child).tag == Tag::CODE);
    let is_around = |above: &NodeId| {
        matches!(
            dom.node(*above).tag,
            Tag::DIV | Tag::FIGURE | Tag::SPAN | Tag::TABLE | Tag::TBODY | Tag::TR | Tag::TD
        )
    };
    let around = dom.ancestors(pre).take(MAX_ABOVE).take_while(is_around);
    let mut places = code.into_iter().chain([pre]).chain(around);
    places.find_map(|place| stated_at(dom, place))
}

fn stated_at(dom: &Dom, place: NodeId) -> Option<&str> {
    let holds_code = matches!(dom.node(place).tag, Tag::PRE | Tag::CODE);
    let by_attribute = ["data-lang", "data-language", "data-enlighter-language"]
        .iter()
        .find_map(|name| dom.attribute(place, name));
    let by_class = || of_classes(dom.attribute(place, "class")?, holds_code);
    // Elsewhere `lang` is the language of the text.
    let by_lang = || {
        let lang = dom.attribute(place, "lang").filter(|_| holds_code)?.trim();
        is_known(lang).then_some(lang)
    };
    by_attribute
        .filter(|name| is_language(name))
        .or_else(by_class)
        .or_else(by_lang)
}

/// The language among the classes of an element. `holds_code`: a class may be nothing but its name.
fn of_classes(classes: &str, holds_code: bool) -> Option<&str> {
    const BEFORE: [&str; 9] = [
        "language-",
        "highlight-source-",
        "highlight-text-",
        "mw-highlight-lang-",
        "lang-",
        "highlight-",
        "brush:",
        "lang:",
        "src-",
    ];
    let words = || classes.split_ascii_whitespace();
    let mut last = "";
    let by_prefix = words().find_map(|word| {
        let named = BEFORE.iter().find_map(|before| word.strip_prefix(before));
        let second = matches!(last, "sourceCode" | "brush:").then_some(word);
        last = word;
        let name = named.or(second)?.trim_end_matches(';');
        // GitHub's name of HTML is `text-html-basic`.
        let name = name.strip_suffix("-basic").unwrap_or(name);
        is_language(name).then_some(name)
    });
    let of_highlighter = words().any(|word| matches!(word, "hljs" | "highlight" | "prettyprint"));
    by_prefix.or_else(|| {
        let mut words = words().filter(|_| of_highlighter || holds_code);
        words.find(|word| is_known(word))
    })
}

fn is_known(name: &str) -> bool {
    KNOWN
        .split(' ')
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether this is the name of a language, not a word of a highlighter for code without one.
fn is_language(name: &str) -> bool {
    const NONE: &str = "\
        auto block code container content default highlight none \
        notranslate plain plaintext text txt wrapper";
    let fits = |c: char| c.is_ascii_alphanumeric() || "+#._-".contains(c);
    !name.is_empty()
        && name.len() <= 24
        && name.chars().all(fits)
        && !NONE.split(' ').any(|none| none == name)
}
