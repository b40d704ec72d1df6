//! `nisi doc`: pages that a browser reads without a fault, that hold all of a policy, and that no text of a policy breaks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use scraper::{ElementRef, Html, Selector};

use crate::cli::{Given, nisi, run};
use crate::random;
use crate::support::{Folder, files, read};

/// What every element may be called; a script, a style that is fetched or a frame is none of them.
const ELEMENTS: &str = "html head meta title style body a header footer main nav section h1 h2 h3 h4 p ul li dl dt dd div \
                        table caption thead tbody tr th td code q i b bdi strong span svg desc g path circle rect text tspan";

/// Calls `nisi doc` for a policy of a folder.
fn doc(folder: &Folder, policy: &str, more: &[&str]) -> Given {
    run(nisi(folder).arg("doc").arg(policy).args(more))
}

/// A folder with the policies of `tests/cases/doc`.
fn cases(name: &str) -> Folder {
    let folder = Folder::new(name);
    for path in files("tests/cases/doc") {
        folder.file(path.trim_start_matches("tests/cases/doc/"), read(&path));
    }
    folder
}

/// Both forms of a page, held to everything that must be so of any page.
fn pages(folder: &Folder, policy: &str) -> (String, String) {
    let html = doc(folder, policy, &[]);
    assert!(html.code < 2 && !html.out.is_empty(), "{policy}: {}", html.err);
    let markdown = doc(folder, policy, &["--format", "markdown"]);
    assert_eq!(markdown.code, html.code);
    let again = doc(folder, policy, &["-o", "-"]);
    assert!(again.out == html.out, "{policy}: a second page is another");
    let tables = sound_html(policy, &html.out);
    assert_eq!(sound_markdown(policy, &markdown.out), tables, "{policy}: the tables of the two forms");
    (html.out, markdown.out)
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

/// Holds a page to HTML, to itself and to those who cannot see it; gives the cells of its tables, row by row.
fn sound_html(policy: &str, text: &str) -> Vec<Vec<usize>> {
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{policy}: {:?}", page.errors);
    let mut ids = BTreeSet::new();
    for element in all(&page, "*") {
        let name = element.value().name();
        assert!(ELEMENTS.split_whitespace().any(|known| known == name), "{policy}: <{name}>");
        for (attribute, value) in element.value().attrs() {
            let fetches =
                matches!(attribute, "src" | "srcset" | "data" | "action" | "ping") || attribute.starts_with("on");
            assert!(!fetches && !attribute.contains("xlink"), "{policy}: {attribute}={value}");
            if attribute == "id" {
                assert!(!value.contains(char::is_whitespace) && ids.insert(value.to_string()), "{policy}: id {value}");
            }
        }
    }
    for style in all(&page, "style") {
        let style: String = style.text().collect();
        assert!(!["url(", "@import", "http", "expression"].iter().any(|bad| style.contains(bad)), "{policy}: style");
    }
    for element in all(&page, "[href], [aria-labelledby]") {
        let to = |name| element.value().attr(name).unwrap_or_default().to_string();
        let targets = format!("{} {}", to("href").strip_prefix('#').unwrap_or("nowhere"), to("aria-labelledby"));
        let is_link = element.value().attr("href").is_some();
        for id in targets.split_whitespace().filter(|id| is_link || *id != "nowhere") {
            assert!(ids.contains(id), "{policy}: nothing is called {id}");
        }
    }
    for (selector, n) in
        [("html[lang=en]", 1), ("h1", 1), ("main", 1), ("nav[aria-label]", 1), ("header", 1), ("footer", 1)]
    {
        assert_eq!(all(&page, selector).len(), n, "{policy}: {selector}");
    }
    assert_eq!(all(&page, "body > :first-child")[0].value().attr("href"), Some("#main"), "{policy}: the skip link");
    let mut before = 0;
    for heading in all(&page, "h1, h2, h3, h4") {
        let level: u32 = heading.value().name()[1..].parse().unwrap();
        assert!(level <= before + 1, "{policy}: <h{level}> behind <h{before}>");
        before = level;
    }
    assert!(
        all(&page, "th:not([scope])").is_empty() && all(&page, "svg[role=img] > title, svg[aria-hidden]").len() > 1
    );
    let regions: Vec<_> = all(&page, ".wide");
    assert!(regions.iter().all(|r| r.value().attr("tabindex") == Some("0") && r.value().attr("aria-label").is_some()));
    let labels: BTreeSet<_> = regions.iter().map(|r| r.value().attr("aria-label")).collect();
    assert_eq!(labels.len(), regions.len(), "{policy}: two regions of one name");
    assert_eq!(all(&page, "table").len(), all(&page, ".wide > table > caption").len(), "{policy}: captions");
    let width = |row: ElementRef| {
        let spans = row.child_elements().map(|cell| cell.value().attr("colspan").map_or(1, |n| n.parse().unwrap()));
        spans.sum::<usize>()
    };
    let rows = |table: ElementRef| table.select(&Selector::parse("tr").unwrap()).map(width).collect::<Vec<_>>();
    let tables: Vec<Vec<usize>> = all(&page, "table").into_iter().map(rows).collect();
    assert!(tables.iter().all(|rows| rows.iter().all(|n| *n == rows[0])), "{policy}: a row that is too short");
    tables
}

/// Holds a page to Markdown in which only our own elements stand; gives the cells of its tables, row by row.
fn sound_markdown(policy: &str, text: &str) -> Vec<Vec<usize>> {
    let (mut tables, mut anchors, mut links) = (Vec::<Vec<usize>>::new(), BTreeSet::new(), BTreeSet::new());
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                assert!(["<br>", "<code>", "</code>"].contains(&&*html), "{policy}: {html}");
            }
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => tables.last_mut().unwrap().push(0),
            Event::Start(Tag::TableCell) => *tables.last_mut().unwrap().last_mut().unwrap() += 1,
            Event::Start(Tag::Image { .. } | Tag::HtmlBlock) => panic!("{policy}: an image, or a block of HTML"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                links.insert(dest_url.strip_prefix('#').unwrap_or_else(|| panic!("{policy}: {dest_url}")).to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let kept = heading.take().unwrap().to_lowercase();
                let kept: String = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect();
                let slug = kept.trim().replace(' ', "-");
                let mut name = slug.clone();
                let mut n = 0;
                while !anchors.insert(name.clone()) {
                    n += 1;
                    name = format!("{slug}-{n}");
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            _ => {}
        }
    }
    assert!(links.is_subset(&anchors), "{policy}: {:?}", links.difference(&anchors));
    tables
}

#[test]
fn the_shipped_policies_are_sound_pages_that_hold_every_row() {
    for name in ["assistant", "field-guide", "procurement"] {
        let folder = Folder::new(&format!("doc-{name}"));
        let text = read(&format!("policies/{name}.nisi"));
        folder.file("p.nisi", &text);
        let (html, markdown) = pages(&folder, "p.nisi");
        let policy = nisi::Policy::compile(&text).unwrap();
        let page = Html::parse_document(&html);
        let heads: BTreeSet<String> = all(&page, "tbody th").iter().map(|th| th.text().collect()).collect();
        for row in policy.rows() {
            assert!(heads.contains(&row.label()), "{name}: {row}");
            assert!(row.reason().is_none_or(|why| all(&page, "q").iter().any(|q| q.text().collect::<String>() == why)));
            assert!(markdown.contains(&row.label()), "{name}: {row}");
        }
        assert!(html.len() < 400_000, "{name}: {} bytes", html.len());
        if name == "procurement" {
            insta::assert_snapshot!("doc_procurement", markdown);
        }
    }
}

#[test]
fn every_kind_of_item_is_on_the_page() {
    let folder = cases("doc-everything");
    let (html, markdown) = pages(&folder, "everything.nisi");
    insta::assert_snapshot!("doc_everything", markdown);
    // All that anybody documented, and every name that is declared.
    let text = read("tests/cases/doc/everything.nisi") + &read("tests/cases/doc/team/facts.nisi");
    let page = Html::parse_document(&html);
    let shown = page.root_element().text().collect::<Vec<_>>().concat();
    let names = text.lines().filter_map(|line| {
        let (keyword, rest) = line.split_once(' ')?;
        let declares = "fact backoff locator parity group action derive classify table rule waive";
        declares.split(' ').any(|d| d == keyword).then(|| rest.split([' ', ':', ',']).next().unwrap())
    });
    for name in names {
        assert!(shown.contains(name), "{name} is not on the page");
    }
    for doc in text.lines().filter_map(|line| line.strip_prefix("## ")) {
        let words = doc.trim_start_matches("- ").replace('`', "");
        assert!(shown.contains(&words), "not on the page: {words}");
    }
}

#[test]
fn an_overlay_shows_both_layers_and_a_failed_example_is_a_no() {
    let folder = cases("doc-overlay");
    let (html, markdown) = pages(&folder, "overlay.nisi");
    insta::assert_snapshot!("doc_overlay", markdown);
    let given = doc(&folder, "overlay.nisi", &["-o", "page.html"]);
    assert_eq!((given.code, given.out.as_str()), (1, ""));
    assert_eq!(given.err, "1 example fails on the page\n");
    assert_eq!(std::fs::read_to_string(folder.path().join("page.html")).unwrap(), html);
}

#[test]
fn an_artifact_says_what_it_does_not_hold() {
    let folder = cases("doc-artifact");
    let made = run(nisi(&folder).args(["compile", "everything.nisi", "-o", "e.bin", "--today", "2026-11-30"]));
    assert_eq!(made.code, 0, "{}", made.err);
    let (_, from_text) = pages(&folder, "everything.nisi");
    let (_, markdown) = pages(&folder, "e.bin");
    assert!(markdown.contains("a compiled artifact, which holds neither documentation"), "{markdown}");
    // The examples, the bounds and the map are the same.
    for part in ["### How far an intent can go at worst", "### Put to", "## What is decided where"] {
        let of = |text: &str| text.split_once(part).unwrap().1.split_once("\n#").unwrap().0.to_string();
        let undocumented = |text: &str| of(text).replace("\nWhat must not change.\n", "");
        assert_eq!(undocumented(&from_text), undocumented(&markdown), "{part}");
    }
}

#[test]
fn a_literate_policy_is_a_page() {
    let folder = Folder::new("doc-literate");
    folder.file("why.nisi.md", "# Why\n\n```nisi\n## Small things.\npolicy parcels\nversion 1\nuse team\n```\n\nRows:\n\n```nisi\ntable t, first row wins\n| size | => action |\n| large, small | stop |\n| unknown | review |\n```\n");
    folder.file("team.nisi.md", "```nisi\n## How big it is.\nfact size : small, large\n```\n");
    let (_, markdown) = pages(&folder, "why.nisi.md");
    for words in ["Small things.", "How big it is.", "`large, small`", "`team.nisi.md`"] {
        assert!(markdown.contains(words), "{words}\n{markdown}");
    }
}

/// Texts that would be markup somewhere.
const HOSTILE: &[&str] = &[
    "</title><script>alert(1)</script>",
    "<!-- --> ]]> &amp; &lt; &#0; </style>",
    "' onmouseover='x",
    "`` ` ``` ~~~ | || \\\\ * _ [x](http://e.example) ![y](z) https://e.example www.e.example",
    "# 1. - + > : <br> </td></tr></table>",
    "سفارش ثبت شد 注文 👩🏽‍💻 $x$ @everyone :x:",
];

#[test]
fn no_text_of_a_policy_is_markup() {
    for (i, hostile) in HOSTILE.iter().enumerate() {
        let folder = Folder::new(&format!("doc-hostile-{i}"));
        let quoted = format!("\"{}\"", hostile.replace('\\', "\\\\").replace('"', "\\\"").replace('|', "\\|"));
        let policy = format!(
            "## {hostile}\npolicy p\nversion 1\nowner {quoted}\nfact order : text\n## - {hostile}\nfact kind : {quoted}, plain\n\
             ## {hostile}\ntable t, first row wins\n| row | order | kind | also | => action |\n\
             | {quoted} | {quoted} | {quoted} | | stop {quoted} |\n| rest | - | - | order is starts {quoted} | review {quoted} |\n\
             | otherwise | | | | stop |\n\n- {quoted}: so {}\n\n\
             examples t\n| name | order | kind | => action | row |\n| {quoted} | {quoted} | {quoted} | stop {quoted} | #1 |\n",
            hostile.replace('\\', "\\\\")
        );
        folder.file("p.nisi", &policy);
        let (html, _) = pages(&folder, "p.nisi");
        let page = Html::parse_document(&html);
        let shown: BTreeSet<String> = all(&page, "q, dd, p, th").iter().map(|e| e.text().collect::<String>()).collect();
        assert!(shown.contains(*hostile), "{hostile}: {shown:?}");
        assert!(!html.contains("<script"), "{hostile}");
    }
}

#[test]
fn what_cannot_be_written_up_is_told() {
    let folder = cases("doc-not");
    let told = |policy: &str, more: &[&str]| {
        let given = doc(&folder, policy, more);
        assert_eq!(given.out, "", "{policy}");
        (given.code, given.err)
    };
    folder.file(
        "open.nisi",
        "policy a\nversion 1\nfact n : count\ntable t, first row wins\n| n | => action |\n| 1 | stop |\n",
    );
    let (code, err) = told("open.nisi", &[]);
    assert!(
        code == 1 && err.contains("N0301") && err.contains("`open.nisi` has errors and cannot be written up"),
        "{err}"
    );
    let (code, err) = told("team/facts.nisi", &[]);
    assert!(code == 2 && err.contains("is a vocabulary"), "{err}");
    assert_eq!(told("none.nisi", &[]).0, 2);
    assert_eq!(told("everything.nisi", &["--format", "pdf"]).0, 2);
    let (code, err) = told("everything.nisi", &["-o", "team/../everything.nisi"]);
    assert!(code == 2 && err.contains("over the policy itself"), "{err}");
    assert!(std::fs::read_to_string(folder.path().join("everything.nisi")).unwrap().contains("policy everything"));
    let (code, err) = told("everything.nisi", &["-o", "no/such/folder.html"]);
    assert!(code == 2 && err.contains("could not be written"), "{err}");
    let (code, err) = told("everything.nisi", &["--max-steps", "5"]);
    assert!(code == 1 && err.contains("N0309"), "{err}");
    let (code, err) = told("everything.nisi", &["--allow", "N0301"]);
    assert!(code == 2 && err.contains("`--allow N0301` means nothing here"), "{err}");
}

#[test]
fn what_was_not_worked_out_is_no_yes() {
    let folder = cases("doc-open");
    let given = doc(&folder, "everything.nisi", &["--max-steps", "5", "--allow", "N0309", "--map-steps", "5"]);
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.err.contains("without the map of decisions") && given.err.contains("5 steps"), "{}", given.err);
    sound_html("cut short", &given.out);
    let page = Html::parse_document(&given.out);
    let marks: Vec<String> = all(&page, "strong").iter().map(|e| e.text().collect()).collect();
    assert!(marks.iter().any(|m| m == "Not proven.") && marks.iter().any(|m| m == "not proven"));
    assert!(!marks.iter().any(|m| m.starts_with("proven") || m.starts_with("Proven")), "{marks:?}");
    assert!(given.out.contains("This was not worked out"));
}

#[test]
fn a_thousand_rows_are_a_page_of_some_weight() {
    let folder = Folder::new("doc-large");
    let mut policy = String::from(
        "policy large\nversion 1\nfact n : count\nfact kind : a, b, c, d\ntable t, first row wins\n| row | n | kind | => action |\n",
    );
    for i in 0..1_000 {
        writeln!(policy, "| row-{i} | {i} | a, b | review queue-{} |", i % 60).unwrap();
    }
    policy.push_str("| rest | - | - | stop |\n");
    folder.file("p.nisi", policy);
    let html = doc(&folder, "p.nisi", &[]);
    assert_eq!(html.code, 0, "{}", html.err);
    sound_html("large", &html.out);
    assert!(html.out.len() < 700_000, "{} bytes", html.out.len());
    assert!(html.out.contains("rows more, which the table below shows"));
}

/// By name, the colours of one mode: what stands in a block of the style.
fn colours(block: &str) -> BTreeMap<&str, [f64; 3]> {
    let pairs = block.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    let channel = |hex: &str, at: usize| {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    pairs.map(|(name, hex)| (name, [0, 2, 4].map(|at| channel(hex, at)))).collect()
}

/// The contrast of two colours, as WCAG 2.2 defines it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |c: [f64; 3]| 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] + 0.05;
    light(one).max(light(other)) / light(one).min(light(other))
}

#[test]
fn every_colour_is_readable_by_day_and_by_night() {
    let style = read("src/doc/style.css");
    let blocks: Vec<&str> =
        style.split(":root {").skip(1).take(2).map(|rest| rest.split('}').next().unwrap()).collect();
    let mut n = 0;
    for (mode, block) in ["light", "dark"].iter().zip(blocks) {
        let colours = colours(block);
        let (grounds, inks): (Vec<_>, Vec<_>) = colours
            .iter()
            .filter(|(name, _)| **name != "line")
            .partition(|(name, _)| ["paper", "card", "stripe", "code"].contains(name));
        for (ink, ground) in inks.iter().flat_map(|ink| grounds.iter().map(move |ground| (ink, ground))) {
            let found = contrast(*ink.1, *ground.1);
            assert!(found >= 4.5, "{mode}: {} on {} has {found:.2}", ink.0, ground.0);
            n += 1;
        }
    }
    assert_eq!(n, 2 * 4 * 14);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn any_policy_is_a_sound_page_that_holds_every_row(draws in proptest::collection::vec(any::<u16>(), 0..400)) {
        let text = random::text(&draws);
        let policy = nisi::Policy::compile(&text).map_err(|_| TestCaseError::reject("it has errors"))?;
        let folder = Folder::new("doc-random");
        folder.file("p.nisi", &text);
        let (html, _) = pages(&folder, "p.nisi");
        let page = Html::parse_document(&html);
        let mut heads: BTreeMap<String, usize> = BTreeMap::new();
        for head in all(&page, "tbody th") {
            *heads.entry(head.text().collect()).or_default() += 1;
        }
        for row in policy.rows() {
            prop_assert!(heads.contains_key(&row.label()), "{row}\n{text}");
        }
    }
}
