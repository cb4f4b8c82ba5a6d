//! The page of a sweep: what differs between variants, the means, how encounters ended, and every campaign with its scores.

#![allow(
    clippy::float_arithmetic,
    reason = "statistics and their pictures; nothing that is replayed depends on them"
)]

use std::fmt::Write;

use askama::Template;
use twicetold_sweep::{
    Card, Cell, Comparison, Difference, Interval, PAIRS_MIN, Plan, Played, Row, Score, Unit, between,
    compare, named, signed, written,
};

use super::foreign::POLICY;
use crate::text::{clean, counted, short};
use crate::{ReportError, limits};

/// The looks of what no other page has.
const STYLE: &str = include_str!("../../templates/sweep.css");

/// A campaign of a sweep, as its page shows it.
pub struct SweepCell<'a> {
    /// Which.
    pub cell: Cell,
    /// Its id.
    pub id: String,
    /// How far it is: a word such as `done`.
    pub state: &'static str,
    /// Why it failed, where it did.
    pub reason: Option<&'a str>,
    /// Its scores, where it is over.
    pub card: Option<&'a Card>,
}

/// The page. Fields that end in `html` were escaped where they were made.
#[derive(Template)]
#[template(path = "sweep.html")]
struct SweepPage<'a> {
    style_html: String,
    policy_html: &'static str,
    plan: &'a Plan,
    text: &'a str,
    ending: String,
    facts: Vec<(&'static str, String)>,
    variants: &'a [String],
    baseline: &'a str,
    differences: Vec<DifferencesTable<'a>>,
    judged: usize,
    is_few: bool,
    pairs_min: usize,
    means: Vec<MeansTable<'a>>,
    outcome_names: [(&'static str, &'static str, &'static str); 4],
    outcomes: Vec<Outcomes<'a>>,
    grid: Vec<GridRow<'a>>,
    campaigns: &'a [CampaignView<'a>],
    left_out: usize,
}

/// A variant beside the baseline.
struct DifferencesTable<'a> {
    name: &'a str,
    rows: Vec<DifferenceRow>,
}

struct DifferenceRow {
    score_html: String,
    chart_html: String,
    text: String,
    verdict: &'static str,
    class: &'static str,
}

/// A score of all variants.
struct MeansTable<'a> {
    name: &'static str,
    about: &'static str,
    most: String,
    rows: Vec<MeanRow<'a>>,
}

struct MeanRow<'a> {
    variant: &'a str,
    chart_html: String,
    text: String,
}

/// How the encounters of a variant ended.
struct Outcomes<'a> {
    variant: &'a str,
    chart_html: String,
    parts: Vec<String>,
}

/// The campaigns of one seed and repetition, by variants.
struct GridRow<'a> {
    plays: &'a str,
    seed: String,
    cells: Vec<Option<&'a CampaignView<'a>>>,
}

struct CampaignView<'a> {
    cell: Cell,
    id: &'a str,
    plays: &'a str,
    label: String,
    state: &'static str,
    reason: String,
    scores: Vec<ScoreView>,
}

impl CampaignView<'_> {
    /// As much of its id as commands need.
    fn short(&self) -> &str {
        self.id.get(..8).unwrap_or(self.id)
    }
}

struct ScoreView {
    name: &'static str,
    value: String,
    events: String,
}

/// Scores that together say how encounters ended: how each is called on the page, and drawn.
const OUTCOMES: [(&str, &str); 4] =
    [("primary", "primary"), ("secondary", "secondary"), ("failed", "failed"), ("unresolved", "unresolved")];

/// The page of a sweep. `text` is that of its plan; `scores` are those to show, `campaigns` all of its campaigns in the plan's order.
///
/// # Errors
/// The page could not be written, which is a bug.
pub fn sweep_html(
    plan: &Plan,
    text: &str,
    scores: &[&'static Score],
    campaigns: &[SweepCell<'_>],
) -> Result<String, ReportError> {
    let variants: Vec<String> =
        plan.variants.iter().map(|variant| short(&variant.name, limits::VARIANT_CHARACTERS_MAX)).collect();
    let played: Vec<Played> = campaigns.iter().filter_map(played).collect();
    let compared = |scores: &[&'static Score]| {
        compare(scores, variants.len(), plan.baseline, &played, plan.interval_seed)
    };
    let comparison = compared(scores);
    let outcome_scores: Vec<&'static Score> = OUTCOMES.iter().filter_map(|(name, _)| named(name)).collect();
    let done = campaigns.iter().filter(|one| one.card.is_some()).count();
    let views: Vec<CampaignView<'_>> =
        campaigns.iter().take(limits::SWEEP_CAMPAIGNS_MAX).map(|one| view(plan, scores, one)).collect();
    let intervals = || comparison.rows.iter().filter_map(|row| row.difference.map(|of| of.interval));
    let judged = intervals().filter(|interval| matches!(interval, Interval::Between(..))).count();
    let page = SweepPage {
        style_html: [super::STYLE, STYLE].join("\n"),
        policy_html: POLICY,
        plan,
        text,
        ending: format!("{done} of {} done", counted(campaigns.len() as u64, "campaign", "campaigns")),
        facts: facts(plan, campaigns),
        variants: &variants,
        baseline: variants.get(plan.baseline).map_or("", String::as_str),
        differences: differences(plan, &variants, scores, &comparison),
        judged,
        is_few: intervals().any(|interval| interval == Interval::TooFew),
        pairs_min: PAIRS_MIN,
        means: scores.iter().map(|score| means(score, &variants, &comparison)).collect(),
        outcome_names: OUTCOMES
            .map(|(name, class)| (name, class, named(name).map_or("", |score| score.about))),
        outcomes: outcomes(&variants, &compared(&outcome_scores)),
        grid: grid(plan, &views),
        campaigns: &views,
        left_out: campaigns.len() - views.len(),
    };
    Ok(clean(&page.render()?))
}

fn played(campaign: &SweepCell<'_>) -> Option<Played> {
    let known = campaign.card?.iter().filter_map(|(name, value)| Some((*name, value.value?)));
    Some(Played { cell: campaign.cell, scores: known.collect() })
}

fn facts(plan: &Plan, campaigns: &[SweepCell<'_>]) -> Vec<(&'static str, String)> {
    let failed = campaigns.iter().filter(|one| one.reason.is_some()).count();
    let mut facts = vec![
        ("Variants", plan.variants.len().to_string()),
        ("Campaigns", plan.campaigns.len().to_string()),
        ("Seeds", plan.seeds.len().to_string()),
    ];
    facts.extend((plan.repetitions > 1).then(|| ("Repetitions", plan.repetitions.to_string())));
    facts.extend(plan.turns.map(|turns| ("Turns at most", turns.to_string())));
    facts.extend((failed > 0).then(|| ("Failed", failed.to_string())));
    facts
}

fn differences<'a>(
    plan: &Plan,
    variants: &'a [String],
    scores: &[&'static Score],
    comparison: &Comparison,
) -> Vec<DifferencesTable<'a>> {
    let row = |score: &&'static Score, variant: usize| {
        // One scale for all variants, so that they can be compared by eye.
        let most = comparison.of(score.name).filter_map(|row| row.difference).map(reach).fold(0.0, f64::max);
        let found = comparison.of(score.name).find(|row| row.variant == variant);
        // A long name is broken where its words end.
        let score_html = score.name.replace('_', "_<wbr>");
        let of = found.and_then(|row| row.difference).filter(|difference| difference.pairs > 0);
        let Some(of) = of else {
            let (chart_html, text) = (String::new(), "no pairs".to_owned());
            return DifferenceRow { score_html, chart_html, text, verdict: "not known", class: "" };
        };
        let pairs = counted(of.pairs as u64, "pair", "pairs");
        let mean = signed(score.unit, of.mean);
        let text = match of.interval {
            Interval::Between(from, to) => {
                format!("{mean} ({}), {pairs}", between(score.unit, from, to, signed))
            }
            _ => format!("{mean}, {pairs}"),
        };
        let (verdict, is_clear) = verdict(&of);
        DifferenceRow {
            score_html,
            chart_html: forest(&of, most, is_clear),
            text,
            verdict,
            class: if is_clear { "clear" } else { "quiet" },
        }
    };
    let others = variants.iter().enumerate().filter(|(variant, _)| *variant != plan.baseline);
    others
        .map(|(variant, name)| DifferencesTable {
            name,
            rows: scores.iter().map(|score| row(score, variant)).collect(),
        })
        .collect()
}

/// What a difference says, and whether it says anything clearly.
fn verdict(difference: &Difference) -> (&'static str, bool) {
    match difference.interval {
        Interval::Between(from, _) if from > 0.0 => ("higher", true),
        Interval::Between(_, to) if to < 0.0 => ("lower", true),
        Interval::Between(..) => ("no clear difference", false),
        Interval::TooFew => ("too few pairs", false),
        Interval::NoSpread if difference.mean == 0.0 => ("the same", false),
        Interval::NoSpread => ("nearly all alike", false),
    }
}

/// How far from 0 a difference and its interval reach.
fn reach(difference: Difference) -> f64 {
    let ends = match difference.interval {
        Interval::Between(from, to) => from.abs().max(to.abs()),
        _ => 0.0,
    };
    ends.max(difference.mean.abs())
}

/// Width and height of a picture, in its own units; a page stretches it.
const WIDTH: f64 = 200.0;
const HEIGHT: f64 = 18.0;

/// A picture. The text beside it says the same, so readers that cannot see it are told of the text alone.
fn picture(marks: &str) -> String {
    format!(
        r#"<svg class="bars" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">{marks}</svg>"#
    )
}

fn upright(class: &str, x: f64, from: f64, to: f64) -> String {
    format!(r#"<line class="{class}" x1="{x:.1}" y1="{from}" x2="{x:.1}" y2="{to}"/>"#)
}

/// A difference beside the line that is none.
fn forest(difference: &Difference, most: f64, is_clear: bool) -> String {
    let middle = WIDTH / 2.0;
    // A little room at both ends, so that a mark there is whole.
    let x = |value: f64| if most > 0.0 { middle + value / most * (middle - 3.0) } else { middle };
    let mut marks = upright("none", middle, 0.0, HEIGHT);
    if let Interval::Between(from, to) = difference.interval {
        let class = if is_clear { "within clear" } else { "within" };
        let (left, width) = (x(from), x(to) - x(from));
        let _ = write!(marks, r#"<rect class="{class}" x="{left:.1}" y="5" width="{width:.1}" height="8"/>"#);
    }
    picture(&(marks + &upright("mean", x(difference.mean), 2.0, HEIGHT - 2.0)))
}

fn means<'a>(score: &'static Score, variants: &'a [String], comparison: &Comparison) -> MeansTable<'a> {
    let end = |row: &Row| match row.interval {
        Interval::Between(_, to) => to.max(row.mean.unwrap_or_default()),
        _ => row.mean.unwrap_or_default(),
    };
    let most = match comparison.of(score.name).map(end).fold(0.0, f64::max) {
        // Parts of a whole are seen against the whole, unless they would be too small to be seen.
        most if score.unit == Unit::Share && most > 0.5 => 1.0,
        most => most,
    };
    let row = |(variant, name): (usize, &'a String)| {
        let found = comparison.of(score.name).find(|row| row.variant == variant);
        let text = match found.and_then(|row| Some((row, row.mean?))) {
            None => "not known".to_owned(),
            Some((row, mean)) => {
                let mean = written(score.unit, mean);
                let interval = match row.interval {
                    Interval::Between(from, to) => format!(" ({})", between(score.unit, from, to, written)),
                    _ => String::new(),
                };
                format!("{mean}{interval}, {}", counted(row.campaigns as u64, "campaign", "campaigns"))
            }
        };
        let chart_html = found.map_or_else(String::new, |row| bar(row, most));
        MeanRow { variant: name, chart_html, text }
    };
    MeansTable {
        name: score.name,
        about: score.about,
        most: written(score.unit, most),
        rows: variants.iter().enumerate().map(row).collect(),
    }
}

/// A mean with its interval.
fn bar(row: &Row, most: f64) -> String {
    let Some(mean) = row.mean else { return String::new() };
    let x = |value: f64| if most > 0.0 { value / most * (WIDTH - 3.0) } else { 0.0 };
    let mut marks = upright("none", 0.0, 0.0, HEIGHT);
    let _ = write!(marks, r#"<rect class="whole" x="0" y="4" width="{:.1}" height="10"/>"#, x(mean));
    if let Interval::Between(from, to) = row.interval {
        let (from, to, middle) = (x(from), x(to), HEIGHT / 2.0);
        let _ = write!(
            marks,
            r#"<line class="interval" x1="{from:.1}" y1="{middle}" x2="{to:.1}" y2="{middle}"/>"#
        );
        marks += &upright("interval", from, 5.0, HEIGHT - 5.0);
        marks += &upright("interval", to, 5.0, HEIGHT - 5.0);
    }
    picture(&marks)
}

fn outcomes<'a>(variants: &'a [String], comparison: &Comparison) -> Vec<Outcomes<'a>> {
    let of = |(variant, name): (usize, &'a String)| {
        let mean = |score: &str| comparison.of(score).find(|row| row.variant == variant)?.mean;
        let (mut marks, mut left) = (String::new(), 0.0);
        for (score, class) in OUTCOMES {
            let width = mean(score).unwrap_or_default() * WIDTH;
            if width > 0.0 {
                let _ = write!(
                    marks,
                    r#"<rect class="{class}" x="{left:.1}" y="0" width="{width:.1}" height="{HEIGHT}"/>"#
                );
            }
            left += width;
        }
        let text = |score| mean(score).map_or_else(|| "–".to_owned(), |mean| written(Unit::Share, mean));
        Outcomes {
            variant: name,
            chart_html: if marks.is_empty() { marks } else { picture(&marks) },
            parts: OUTCOMES.iter().map(|(score, _)| text(score)).collect(),
        }
    };
    variants.iter().enumerate().map(of).collect()
}

/// The campaigns with one row for each campaign, seed and repetition, in the plan's order.
fn grid<'a>(plan: &'a Plan, views: &'a [CampaignView<'a>]) -> Vec<GridRow<'a>> {
    let same = |one: &CampaignView<'_>, other: &CampaignView<'_>| {
        let key = |cell: Cell| (cell.campaign, cell.seed, cell.repetition);
        key(one.cell) == key(other.cell)
    };
    let row = |views: &'a [CampaignView<'a>]| {
        let mut cells = vec![None; plan.variants.len()];
        for view in views {
            cells[view.cell.variant] = Some(view);
        }
        let again =
            |cell: Cell| if cell.repetition > 1 { format!(".{}", cell.repetition) } else { String::new() };
        let first = views.first();
        GridRow {
            plays: first.map_or("", |view| view.plays),
            seed: first.map_or_else(String::new, |view| format!("{}{}", view.cell.seed, again(view.cell))),
            cells,
        }
    };
    views.chunk_by(same).map(row).collect()
}

fn view<'a>(plan: &'a Plan, scores: &[&'static Score], campaign: &'a SweepCell<'_>) -> CampaignView<'a> {
    let scores = campaign.card.map_or_else(Vec::new, |card| {
        scores.iter().filter_map(|score| Some(opened(score, card.get(score.name)?))).collect()
    });
    CampaignView {
        cell: campaign.cell,
        id: &campaign.id,
        plays: &plan.campaigns[campaign.cell.campaign].text,
        label: short(&plan.label(campaign.cell), limits::LINE_CHARACTERS_MAX),
        state: campaign.state,
        reason: campaign.reason.map_or_else(String::new, |why| short(why, 2 * limits::HINT_CHARACTERS_MAX)),
        scores,
    }
}

/// A score with the first of the events behind it.
fn opened(score: &'static Score, value: &twicetold_sweep::Value) -> ScoreView {
    let numbers =
        value.events.iter().take(limits::SCORE_EVENTS_MAX).map(|event| format!("#{}", event.number));
    let mut events = numbers.collect::<Vec<_>>().join(" ");
    let more = value.events.len().saturating_sub(limits::SCORE_EVENTS_MAX) as u64 + value.left_out;
    if more > 0 {
        let _ = write!(events, " and {more} more");
    }
    ScoreView {
        name: score.name,
        value: value.value.map_or_else(|| "not known".to_owned(), |value| written(score.unit, value)),
        events: if events.is_empty() { "no event".to_owned() } else { events },
    }
}

#[cfg(test)]
mod tests {
    use twicetold_sweep::Value;

    use super::*;

    /// A page of twelve pairs, of which the second variant has three calls more each; what is not over has no card.
    fn page(variants: [&str; 2], reason: Option<&str>) -> String {
        let [one, other] = variants;
        let (one, other) = (
            format!("{{ name = '{one}', dm = \"improv\" }}"),
            format!("{{ name = '{other}', dm = \"improv:chaos\" }}"),
        );
        let text = format!(
            "name = \"calls\"\ncampaigns = [\"a\"]\nseeds = \"1..13\"\nscores = [\"calls\"]\nmodels = [{one}, {other}]\n"
        );
        let (plan, mistakes) = Plan::read(&text, &|_, _| None);
        let plan = plan.filter(|_| mistakes.is_empty()).unwrap_or_else(|| panic!("{mistakes:?}"));
        let card = |cell: Cell| {
            let value = Some(
                10.0 * cell.seed as f64 + if cell.variant == 1 { 3.0 + (cell.seed % 2) as f64 } else { 0.0 },
            );
            let events =
                (0..10).map(|number| twicetold_sweep::Shown { number, what: String::new() }).collect();
            let ended = Value { value: Some(1.0), ..Value::default() };
            Card::from([("calls", Value { value, events, left_out: 2 }), ("primary", ended)])
        };
        let cards: Vec<(Cell, Option<Card>)> =
            plan.cells().map(|cell| (cell, (cell.seed < 13).then(|| card(cell)))).collect();
        let cells: Vec<SweepCell<'_>> = cards
            .iter()
            .map(|(cell, card)| SweepCell {
                cell: *cell,
                id: format!("{:032x}", 2 * cell.seed + cell.variant as u64),
                state: if card.is_some() { "done" } else { "failed" },
                reason: reason.filter(|_| card.is_none()),
                card: card.as_ref(),
            })
            .collect();
        sweep_html(&plan, &text, &plan.scores, &cells).expect("a page")
    }

    #[test]
    fn a_page_says_as_text_what_its_pictures_show() {
        let page = page(["a", "b"], None);
        let has = |text: &str| assert!(page.contains(text), "{text} is not in {page}");
        has("24 of 26 campaigns done");
        has("b, compared with a");
        has(r#"<td class="clear">higher</td>"#);
        has("+3.5 (");
        has("), 12 pairs");
        has("by chance; this page has 1.");
        // The mean difference is at three fifths of what lies between no difference and the end of its interval.
        let mean = page.split(r#"class="mean" x1=""#).nth(1).and_then(|rest| rest.split('"').next());
        let mean: f64 = mean.expect("a mark").parse().expect("a number");
        assert!(mean > 150.0 && mean < 197.0, "{mean}");
        has("65.0 (");
        has("), 12 campaigns");
        has(r#"<rect class="primary" x="0.0" y="0" width="200.0""#);
        has(r##"<a href="#c00000000000000000000000000000002"><code>00000000</code></a></td>"##);
        has(r#"id="c00000000000000000000000000000002""#);
        has("#0 #1 #2 #3 #4 #5 #6 #7 and 4 more");
        has("seeds = &#34;1..13&#34;");
    }

    #[test]
    fn what_people_and_servers_say_is_text_on_the_page() {
        let planted = "<script>alert(1)</script>";
        let page = page([planted, "<img src=y> & \u{202e}c"], Some("<img src=x onerror=alert(1)>"));
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'), "{page}");
        assert!(page.contains("&#60;script&#62;alert(1)") && page.contains("&#60;img src=x"), "{page}");
        assert!(page.contains("script-src") || page.contains("default-src 'none'"));
    }
}
