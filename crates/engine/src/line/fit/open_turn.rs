//! A turn that is too large by itself, as long tool loops are.
//!
//! Everything before it goes. Then its older tool results are shortened, oldest first; then its older atoms are removed,
//! oldest first. Its question and its newest atom stay.

use super::super::brief::Brief;
use super::super::repair::{Atom, raw_piece, said_cost};
use super::{Fate, Fitted, Shape, Unfit};
use crate::prompt::Piece;
use crate::report::{Reason, Warning, WarningKind};
use std::borrow::Cow;

/// Characters kept of the beginning and of the end of a shortened result.
const HEAD: usize = 600;
const TAIL: usize = 300;

/// Makes the open turn fit, or says that it cannot.
pub(crate) fn shrink(atoms: &mut [Atom<'_>], shape: &Shape, brief: &Brief<'_>, limit: u64) -> Result<Fitted, Unfit> {
    let mut fates: Vec<Fate> = (0..atoms.len())
        .map(|index| match shape.pin(index) {
            Some(pin) => Fate::Kept(pin),
            None if index < shape.open => Fate::Dropped(shape.cut_reason()),
            None => Fate::Kept(Reason::OpenExchange),
        })
        .collect();
    let older: Vec<usize> = (shape.open..atoms.len()).filter(|&index| shape.pin(index).is_none()).collect();
    let mut raw: u64 = older.iter().map(|&index| shape.costs[index]).sum();
    for &index in &older {
        if raw <= limit {
            break;
        }
        let atom = &mut atoms[index];
        let saved = shorten(atom, brief, raw - limit);
        if saved > 0 {
            raw -= saved;
            atom.raw -= saved;
            fates[index] = Fate::Shortened(Reason::OpenExchange);
        }
    }
    for &index in &older {
        if raw <= limit {
            break;
        }
        raw -= atoms[index].raw;
        fates[index] = Fate::Dropped(shape.cut_reason());
    }
    if raw > limit {
        return Err(Unfit::TooLarge { needed: shape.fixed });
    }
    let detail = "the open turn alone is too large: its older tool results were shortened or removed".to_owned();
    let last = fates.iter().rposition(|fate| matches!(fate, Fate::Dropped(_)));
    let between = (0, last.map_or(0, |last| last + 1));
    let cut = shape.has_gap() || last.is_some();
    Ok(Fitted { fates, cut, between, warnings: vec![Warning { kind: WarningKind::OpenTurnCut, detail }] })
}

/// Shortens an atom's results until so much is saved or none is left; tells how much was saved.
fn shorten(atom: &mut Atom<'_>, brief: &Brief<'_>, wanted: u64) -> u64 {
    let before = said_cost(&atom.said, brief);
    let mut saved = 0;
    let pieces = atom.said.iter_mut().flat_map(|said| &mut said.message.pieces);
    for piece in pieces {
        let Piece::Result(result) = piece else { continue };
        for content in &mut result.content {
            let Piece::Text(text) = content else { continue };
            let Some(short) = shortened(&text.text) else { continue };
            let old = raw_piece(content, brief);
            let new = Piece::text(short);
            let gain = old.saturating_sub(raw_piece(&new, brief));
            if gain > 0 {
                *content = new;
                saved += gain;
            }
        }
        if saved >= wanted {
            break;
        }
    }
    saved.min(before).min(atom.raw)
}

/// The beginning and the end of a long text.
fn shortened(text: &str) -> Option<Cow<'static, str>> {
    let chars = text.chars().count();
    if chars <= HEAD + TAIL + 60 {
        return None;
    }
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().skip(chars - TAIL).collect();
    Some(Cow::Owned(format!("{head}\n[… {} characters omitted …]\n{tail}", chars - HEAD - TAIL)))
}
