//! The picture of a policy, drawn: the tables below one another, their rows on the left, what these lead to on the right, and
//! at the side a lane to each table that others hand over to.
//!
//! It is as wide as its lanes ask and no wider than [`LANES`] of them; what is too long for its room ends in `…`, and stands
//! in full in the tables. Letters are taken to be as wide as those of a font with one width for all.

use unicode_width::UnicodeWidthChar;

use crate::words::Verb;

use super::html::class;
use super::markup::Markup;
use super::picture::{Card, Group, Picture, To};
use super::tree::n;

/// The width of a card, of the rows in it, and where what they lead to begins.
const CARD: i64 = 700;
const ROWS: i64 = 244;
const TO: i64 = 296;
/// The height of a line, of a card's head, the room between cards, and that around a group.
const LINE: i64 = 18;
const HEAD: i64 = 34;
const GAP: i64 = 26;
const ROOM: i64 = 12;
/// How far lanes are apart, and how many are drawn.
const LANE: i64 = 14;
const LANES: usize = 16;
/// The width of a letter, in tenths.
const LETTER: i64 = 73;

/// A card with its place.
struct Placed<'p> {
    card: &'p Card,
    top: i64,
    groups: Vec<PlacedGroup<'p>>,
    height: i64,
}

struct PlacedGroup<'p> {
    group: &'p Group,
    top: i64,
    height: i64,
    rows: Vec<String>,
    /// The words behind the first verb, then a line for each further step: its verb and its words.
    first: Vec<String>,
    then: Vec<(Option<Verb>, String)>,
}

/// A lane: from the groups that hand over down to their table.
struct Lane {
    to: usize,
    /// Where groups come in.
    from: Vec<i64>,
    end: i64,
    place: usize,
}

/// Draws a picture.
pub(super) fn draw(page: &mut Markup, picture: &Picture) {
    let placed = place(picture);
    let height = placed.last().map_or(0, |last| last.top + last.height + 2);
    let lanes = lanes(picture, &placed);
    let n_lanes = lanes.iter().map(|lane| lane.place + 1).max().unwrap_or(0);
    let width = CARD + 2 + if n_lanes == 0 { 0 } else { 14 + px(n_lanes) * LANE };
    legend(page, picture);
    page.raw(
        "<div class=\"wide picture\" role=\"region\" tabindex=\"0\" aria-label=\"Picture of the tables\">\n<svg viewBox=\"0 0 ",
    );
    page.n(width).raw(" ").n(height).raw("\" width=\"").n(width).raw("\" height=\"").n(height);
    page.raw("\" role=\"img\" aria-labelledby=\"picture:title picture:desc\">\n<title id=\"picture:title\">");
    page.text("What leads where")
        .raw("</title>\n<desc id=\"picture:desc\">")
        .text(&described(picture))
        .raw("</desc>\n");
    for lane in &lanes {
        draw_lane(page, lane);
    }
    for one in &placed {
        draw_card(page, picture, one);
    }
    page.raw("</svg>\n</div>\n");
}

/// The signs and how many rows come to each.
fn legend(page: &mut Markup, picture: &Picture) {
    page.raw(
        "<p>Each box is a table. On the left the rows, on the right what they lead to, with what follows where it is refused; \
         lines at the side lead on to the next table.</p>\n",
    );
    page.raw("<ul class=\"legend\" aria-label=\"What rows lead to, from the most cautious action to the least\">\n");
    for (verb, count) in &picture.verbs {
        page.raw("<li><svg viewBox=\"-8 -8 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\">");
        sign(page, *verb, 0, 0);
        page.raw("</svg> <b class=\"").raw(class(*verb)).raw("\">").raw(verb.as_str()).raw("</b> ");
        page.text(&n(*count, "row", "rows")).raw("</li>\n");
    }
    page.raw("</ul>\n");
}

/// The picture in words.
fn described(picture: &Picture) -> String {
    let name = |i: usize| picture.cards.get(i).map_or("", |card| &card.name);
    let mut parts = vec![n(picture.cards.len(), "table", "tables")];
    for card in &picture.cards {
        let mut next: Vec<&str> = Vec::new();
        for group in &card.groups {
            if let To::Card(to) = group.to {
                next.push(name(to));
            }
        }
        if !next.is_empty() {
            parts.push(format!("{} hands over to {}", card.name, next.join(", ")));
        }
        if let Some(base) = card.tightens {
            parts.push(format!("{} is asked beside {}", card.name, name(base)));
        }
    }
    format!("{}. The tables below say the same in full.", parts.join("; "))
}

fn place(picture: &Picture) -> Vec<Placed<'_>> {
    let mut top = 2;
    let mut placed = Vec::new();
    for card in &picture.cards {
        let mut at = top + HEAD;
        let mut groups = Vec::new();
        for group in &card.groups {
            let group = lay_out(picture, group, at);
            at += group.height;
            groups.push(group);
        }
        if card.n_left > 0 {
            at += LINE + ROOM;
        }
        placed.push(Placed { card, top, groups, height: at - top + 4 });
        top = at + 4 + GAP;
    }
    placed
}

fn lay_out<'p>(picture: &Picture, group: &'p Group, top: i64) -> PlacedGroup<'p> {
    let names = group.rows.join(", ");
    let (mut rows, is_whole) = cut(&names, room(ROWS - 8), 4);
    if !is_whole {
        rows = cut(&names, room(ROWS - 8), 3).0;
        rows.push(format!("{} in all", n(group.rows.len(), "row", "rows")));
    }
    let (first, then) = match &group.to {
        To::Card(to) => {
            (vec![picture.cards.get(*to).map_or(String::new(), |card| format!("see {}", card.name))], Vec::new())
        }
        To::Acts(steps) => {
            let behind = |verb: Verb| room(CARD - 16 - TO - 20) - verb.as_str().len() - 1;
            let (verb, words) = steps.first().map_or((Verb::Review, ""), |(verb, words)| (*verb, words));
            let first = cut(words, behind(verb), 2).0;
            let mut then: Vec<(Option<Verb>, String)> = Vec::new();
            for (verb, words) in steps.iter().skip(1).take(3) {
                then.push((Some(*verb), one(words, behind(*verb).saturating_sub(11))));
            }
            if steps.len() > 4 {
                then.push((None, format!("and {} more behind it", steps.len() - 4)));
            }
            (first, then)
        }
    };
    let lines = px(rows.len().max(first.len().max(1) + then.len()));
    PlacedGroup { group, top, height: lines * LINE + ROOM, rows, first, then }
}

/// How many letters have room.
fn room(width: i64) -> usize {
    usize::try_from(width * 10 / LETTER).unwrap_or(0)
}

/// A text over so many lines at most, the last one ending in `…` where more would follow; and whether it is whole.
fn cut(words: &str, letters: usize, most: usize) -> (Vec<String>, bool) {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut width) = (String::new(), 0);
    let mut at_blank: Option<(usize, usize)> = None;
    for c in words.chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
        let wide = c.width().unwrap_or(0);
        if width + wide > letters.max(2) {
            if lines.len() + 1 == most {
                while width + 1 > letters.max(2) {
                    width -= line.pop().and_then(UnicodeWidthChar::width).unwrap_or(0).min(width);
                    if line.is_empty() {
                        break;
                    }
                }
                line.push('…');
                lines.push(line);
                return (lines, false);
            }
            let rest = match at_blank.take() {
                Some((bytes, _)) => line.split_off(bytes).trim_start().to_string(),
                None => String::new(),
            };
            lines.push(std::mem::replace(&mut line, rest).trim_end().to_string());
            width = line.chars().filter_map(UnicodeWidthChar::width).sum();
        }
        if c == ' ' {
            at_blank = Some((line.len(), width));
            if line.is_empty() {
                continue;
            }
        }
        line.push(c);
        width += wide;
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_string());
    }
    (lines, true)
}

/// A text on one line.
fn one(words: &str, letters: usize) -> String {
    cut(words, letters, 1).0.concat()
}

fn px(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The lanes, those in the middle of others nearest to the cards.
fn lanes(picture: &Picture, placed: &[Placed]) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::new();
    for (to, one) in placed.iter().enumerate() {
        let from: Vec<i64> = placed
            .iter()
            .flat_map(|p| &p.groups)
            .filter(|g| g.group.to == To::Card(to))
            .map(|g| g.top + ROOM / 2 + LINE / 2)
            .collect();
        if !from.is_empty() && picture.cards.len() > 1 {
            lanes.push(Lane { to, from, end: one.top + HEAD / 2, place: 0 });
        }
    }
    let length = |lane: &Lane| lane.end - lane.from.iter().copied().min().unwrap_or(lane.end);
    lanes.sort_by_key(|lane| (length(lane), lane.to));
    let mut taken: Vec<Vec<(i64, i64)>> = Vec::new();
    for lane in &mut lanes {
        let low = lane.from.iter().copied().min().unwrap_or(lane.end).min(lane.end);
        let high = lane.from.iter().copied().max().unwrap_or(lane.end).max(lane.end);
        let is_free = |held: &Vec<(i64, i64)>| held.iter().all(|(a, b)| high + 6 < *a || *b + 6 < low);
        lane.place = taken.iter().position(is_free).unwrap_or(taken.len());
        if lane.place == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane.place].push((low, high));
    }
    lanes.retain(|lane| lane.place < LANES);
    lanes
}

fn draw_lane(page: &mut Markup, lane: &Lane) {
    let x = CARD + 14 + px(lane.place) * LANE;
    for y in &lane.from {
        page.raw("<path class=\"lane\" d=\"M").n(CARD - 8).raw(" ").n(*y).raw("H").n(x - 6);
        if *y < lane.end {
            page.raw("q6 0 6 6V").n(lane.end - 6).raw("q0 6 -6 6H").n(CARD + 8);
        } else {
            page.raw("q6 0 6 -6V").n(lane.end + 6).raw("q0 -6 -6 -6H").n(CARD + 8);
        }
        page.raw("\"/>\n<circle class=\"joint\" cx=\"").n(CARD - 8).raw("\" cy=\"").n(*y).raw("\" r=\"3\"/>\n");
    }
    page.raw("<path class=\"tip\" d=\"M").n(CARD + 1).raw(" ").n(lane.end).raw("l9 -5v10z\"/>\n");
}

fn draw_card(page: &mut Markup, picture: &Picture, placed: &Placed) {
    let (top, card) = (placed.top, placed.card);
    page.raw("<rect class=\"card\" x=\"1\" y=\"")
        .n(top)
        .raw("\" width=\"")
        .n(CARD)
        .raw("\" height=\"")
        .n(placed.height);
    page.raw("\" rx=\"8\"/>\n");
    words(page, "name", 16, top + 22, &one(&card.name, 40));
    let note = match card.tightens.and_then(|base| picture.cards.get(base)) {
        Some(base) => format!("beside {}, the more cautious answer holds", base.name),
        None if top == 2 => format!("asked first · {}", card.hit),
        None => card.hit.to_string(),
    };
    let note = one(&note, 48);
    page.raw("<text class=\"note end\" x=\"")
        .n(CARD - 16)
        .raw("\" y=\"")
        .n(top + 22)
        .raw("\">")
        .text(&note)
        .raw("</text>\n");
    for group in &placed.groups {
        draw_group(page, group);
    }
    if card.n_left > 0 {
        let text = format!("and {}, which the table below shows", n(card.n_left, "row more", "rows more"));
        words(page, "note", 16, top + placed.height - 14, &text);
    }
}

fn draw_group(page: &mut Markup, group: &PlacedGroup) {
    page.raw("<path class=\"rule\" d=\"M1 ").n(group.top).raw("h").n(CARD).raw("\"/>\n");
    let base = |line: usize| group.top + ROOM / 2 + 13 + px(line) * LINE;
    for (i, line) in group.rows.iter().enumerate() {
        words(page, "row", 16, base(i), line);
    }
    let middle = group.top + ROOM / 2 + LINE / 2;
    let arrow = |page: &mut Markup, class: &'static str| {
        page.raw("<g class=\"")
            .raw(class)
            .raw("\"><path class=\"way\" d=\"M")
            .n(ROWS + 18)
            .raw(" ")
            .n(middle)
            .raw("h20\"/>");
        page.raw("<path class=\"fill\" d=\"M").n(ROWS + 44).raw(" ").n(middle).raw("l-7 -4v8z\"/></g>\n");
    };
    let To::Acts(steps) = &group.group.to else {
        arrow(page, "see");
        words(page, "see", TO + 2, base(0), &group.first.concat());
        return;
    };
    let verb = steps.first().map_or(Verb::Review, |(verb, _)| *verb);
    arrow(page, class(verb));
    sign(page, verb, TO + 8, middle);
    act(page, TO + 22, base(0), "", verb, group.first.first().map_or("", |w| w));
    for (i, line) in group.first.iter().enumerate().skip(1) {
        words(page, "row", TO + 22, base(i), line);
    }
    for (i, (verb, line)) in group.then.iter().enumerate() {
        let y = base(group.first.len().max(1) + i);
        match verb {
            Some(verb) => act(page, TO + 22, y, "if refused ", *verb, line),
            None => words(page, "note", TO + 22, y, line),
        }
    }
}

fn act(page: &mut Markup, x: i64, y: i64, before: &'static str, verb: Verb, rest: &str) {
    page.raw("<text class=\"row\" x=\"").n(x).raw("\" y=\"").n(y).raw("\"><tspan class=\"note\">").raw(before);
    page.raw("</tspan><tspan class=\"").raw(class(verb)).raw("\">").raw(verb.as_str()).raw("</tspan> ");
    page.raw("<tspan>").text(rest).raw("</tspan></text>\n");
}

fn words(page: &mut Markup, class: &'static str, x: i64, y: i64, words: &str) {
    page.raw("<text class=\"")
        .raw(class)
        .raw("\" x=\"")
        .n(x)
        .raw("\" y=\"")
        .n(y)
        .raw("\">")
        .text(words)
        .raw("</text>\n");
}

/// The sign of a verb, so that no meaning hangs on a colour.
fn sign(page: &mut Markup, verb: Verb, x: i64, y: i64) {
    let shape = match verb {
        Verb::Review => "<path class=\"fill\" d=\"M0 -7L7 0L0 7L-7 0Z\"/>",
        Verb::Reconcile => "<circle class=\"ring\" r=\"5\"/><path class=\"ring\" d=\"M3.5 3.5L7 7\"/>",
        Verb::Stop => "<path class=\"fill\" d=\"M-5.5 -5.5h11v11h-11z\"/>",
        Verb::Wait => "<path class=\"fill\" d=\"M-5.5 -6h11L-5.5 6h11z\"/>",
        Verb::Done => "<circle class=\"fill\" r=\"6\"/>",
        Verb::Retry => "<path class=\"fill\" d=\"M0 -6.5L6.5 5.5h-13z\"/>",
        Verb::Hedge => "<circle class=\"ring\" cx=\"-2.5\" r=\"4.5\"/><circle class=\"ring\" cx=\"2.5\" r=\"4.5\"/>",
        Verb::Failover => "<path class=\"fill\" d=\"M-6.5 -6L-0.5 0L-6.5 6zM0.5 -6L6.5 0L0.5 6z\"/>",
    };
    page.raw("<g class=\"")
        .raw(class(verb))
        .raw("\" transform=\"translate(")
        .n(x)
        .raw(" ")
        .n(y)
        .raw(")\">")
        .raw(shape)
        .raw("</g>");
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::cut;

    #[test]
    fn texts_keep_to_their_room() {
        let texts = [
            "",
            "a",
            "one two three",
            "注文は受け付けられました",
            "a-word-that-is-longer-than-any-line",
            "سفارش ثبت شد 👩🏽‍💻 x",
        ];
        for (text, letters, most) in
            texts.iter().flat_map(|t| (2..14).flat_map(move |l| (1..4).map(move |m| (t, l, m))))
        {
            let (lines, is_whole) = cut(text, letters, most);
            assert!(
                lines.len() <= most && lines.iter().all(|line| line.width() <= letters),
                "{letters}, {most}: {lines:?}"
            );
            let told: String = lines.concat().split_whitespace().collect();
            if is_whole {
                assert_eq!(told, text.split_whitespace().collect::<String>());
            } else {
                let told = told.strip_suffix('…').unwrap();
                assert!(text.split_whitespace().collect::<String>().starts_with(told), "{told}");
            }
        }
    }
}
