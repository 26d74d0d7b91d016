//! A loss as one short line of text.

use unframe::dom::Dom;
use unframe::page::normalise;
use unframe_eval::wholeness::{Loss, Piece};

/// Pieces shown before the first removed one …
const BEFORE: usize = 2;
/// … and in all.
const PIECES: usize = 12;
/// Characters shown of a kept piece …
const KEPT_CHARS: usize = 30;
/// … and of a removed one.
const REMOVED_CHARS: usize = 60;

/// The pieces around the first removed one; removed pieces are marked as `[-…-]`.
pub fn loss_text(dom: &Dom, loss: &Loss) -> String {
    let removed = loss.pieces.iter().position(|piece| !piece.kept);
    let first = removed.unwrap_or(0).saturating_sub(BEFORE);
    let shown = loss.pieces[first..].iter().take(PIECES);
    let show = |piece: &Piece| {
        let mut normal = String::new();
        let text = normalise(dom.text(piece.node), &mut normal);
        match piece.kept {
            true => shortened(text, KEPT_CHARS),
            false => format!("[-{}-]", shortened(text, REMOVED_CHARS)),
        }
    };
    let mut out = shown.map(show).collect::<Vec<_>>().join(" ");
    if first > 0 {
        out.insert_str(0, "… ");
    }
    if loss.pieces.len() > first + PIECES {
        out.push_str(" …");
    }
    out
}

/// The beginning and the end of a long text.
fn shortened(text: &str, most: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= most {
        return text.into();
    }
    let half = most / 2;
    let (begin, end) = (&chars[..half], &chars[chars.len() - half..]);
    begin.iter().chain(['…'].iter()).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::dom::{Limits, parse};
    use unframe_eval::Wholeness;

    #[test]
    fn removed_pieces_are_marked() {
        let long = "word ".repeat(30);
        let html = format!("<p>one <i>two</i> {long} <b>x  y</b> {long}<i>z</i>");
        let dom = parse(html.as_str(), &Limits::default());
        let (_, losses) = Wholeness::with_losses(&dom, |text| dom.text(text) != "x  y");
        assert_eq!(
            loss_text(&dom, &losses[0]),
            "… two word word word … word word word [-x y-] word word word … word word word z"
        );
    }
}
