//! Results of sweeps as people and programs read them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::Path;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::sweeping::{Found, Standing, Sweep, find_cell};
use twicetold_report::{SweepCell, sweep_html};
use twicetold_sweep::{
    Cell, Comparison, Condition, Difference, Interval, Met, Plan, Played, Row, SCORES, Score, Shown, compare,
    csv_field, named, table, written,
};

use super::{Diff, Output, Show, found};
use crate::data::{
    self, ScoredCampaign, ScoredEvent, SweepCampaign, SweepCampaigns, SweepComparison, SweepDifference,
    SweepInterval, SweepResults, SweepRow, SweepScore, SweepState,
};
use crate::failure::{Failure, code};
use crate::files::write;
use crate::pager::page;
use crate::play::say;
use crate::terminal::{BOLD, columns, counted, hanging, print, safe, short};

/// A sweep with all of its campaigns.
pub(super) struct Results<S: Deref<Target = Sweep> = Box<Sweep>> {
    pub sweep: S,
    pub found: Vec<Found>,
    /// The flag that names the folder of data, where one was named.
    pub flag: String,
}

/// Failed campaigns that are listed below a table.
const FAILED_SHOWN_MAX: usize = 10;
/// Events that are listed of one score; `--json` lists all that are kept.
const EVENTS_SHOWN_MAX: usize = 200;
/// Characters of a reason in a list.
const REASON_CHARS_MAX: usize = 200;

impl<S: Deref<Target = Sweep>> Results<S> {
    fn variants(&self) -> Vec<String> {
        self.sweep.plan.variants.iter().map(|variant| short(&variant.name, 60)).collect()
    }

    /// The campaigns that are over.
    pub fn played(&self) -> Vec<Played> {
        self.found.iter().filter_map(|one| Some(Played { cell: one.cell, scores: scores(one)? })).collect()
    }

    fn compared(&self, scores: &[&'static Score]) -> Comparison {
        let plan = &self.sweep.plan;
        compare(scores, plan.variants.len(), plan.baseline, &self.played(), plan.interval_seed)
    }

    /// How many campaigns are over.
    pub fn done(&self) -> usize {
        self.found.iter().filter(|one| one.standing == Standing::Done).count()
    }
}

fn scores(found: &Found) -> Option<BTreeMap<&'static str, f64>> {
    let card = found.card.as_ref()?;
    Some(card.iter().filter_map(|(name, value)| Some((*name, value.value?))).collect())
}

/// `sweep show`.
pub(super) fn show(library: &Library, arguments: &Show) -> Result<ExitCode, Failure> {
    arguments.output.page_is_free()?;
    let results = found(library, &arguments.name)?;
    if arguments.campaigns {
        return campaigns(&results, arguments.output.json);
    }
    let score = arguments.score.as_deref().and_then(named);
    match (&arguments.campaign, score) {
        (Some(id), Some(score)) => events(&results, id, score, arguments.output.json),
        _ => print_results(&results, &arguments.output, score),
    }
}

/// Prints results, and says by the exit code whether a condition is met.
pub(super) fn print_results<S: Deref<Target = Sweep>>(
    results: &Results<S>,
    output: &Output,
    only: Option<&'static Score>,
) -> Result<ExitCode, Failure> {
    let plan = &results.sweep.plan;
    let scores: Vec<&'static Score> = only.map_or_else(|| plan.scores.clone(), |score| vec![score]);
    let comparison = results.compared(&scores);
    let text = match output {
        Output { json: true, .. } => data::document(whole(results, &scores, &comparison)),
        Output { csv: true, .. } => csv(results, &scores),
        _ => text(results, &scores, &comparison),
    };
    page(&text)?;
    if let Some(file) = &output.html {
        write_page(results, &scores, file, output.force)?;
    }
    let open = results.found.len() - results.done();
    if !output.fail_if.is_empty() && open > 0 {
        let left = counted(open as u64, "campaign");
        say(&format!(
            "{left} left: --fail-if says nothing before the sweep is over; `twicetold sweep run PLAN`, or a worker, plays the rest."
        ));
        return Ok(ExitCode::from(code::PAUSED));
    }
    let mut is_met = false;
    for condition in &output.fail_if {
        is_met |= tell_met(results, condition);
    }
    Ok(if is_met { ExitCode::from(code::CONDITION) } else { ExitCode::SUCCESS })
}

/// Writes the results as a page for a browser.
pub(super) fn write_page<S: Deref<Target = Sweep>>(
    results: &Results<S>,
    scores: &[&'static Score],
    file: &Path,
    replace: bool,
) -> Result<(), Failure> {
    let cells: Vec<SweepCell<'_>> = results.found.iter().map(cell_of).collect();
    let page = sweep_html(&results.sweep.plan, results.sweep.text(), scores, &cells);
    let page = page.map_err(|error| Failure::new(code::FAILED, error.to_string(), ""))?;
    write(file, page.as_bytes(), replace)?;
    say(&format!("The page is {}", safe(&file.display().to_string())));
    Ok(())
}

fn cell_of(found: &Found) -> SweepCell<'_> {
    let reason = match &found.standing {
        Standing::Failed(why) => Some(why.as_str()),
        _ => None,
    };
    let (cell, id, state) = (found.cell, found.id.to_string(), state(&found.standing));
    SweepCell { cell, id, state, reason, card: found.card.as_ref() }
}

fn tell_met<S: Deref<Target = Sweep>>(results: &Results<S>, condition: &Condition) -> bool {
    let Some(score) = named(condition.score()) else { return false };
    let met = condition.met(&results.compared(&[score]));
    for Met { variant, mean } in &met {
        let name = short(&results.sweep.plan.variants[*variant].name, 60);
        let mean = mean.map_or_else(|| "not known".to_owned(), |mean| written(score.unit, mean));
        say(&format!("--fail-if '{}' is met: {} of {name} is {mean}", condition.text, score.name));
    }
    !met.is_empty()
}

fn text<S: Deref<Target = Sweep>>(
    results: &Results<S>,
    scores: &[&'static Score],
    comparison: &Comparison,
) -> String {
    let plan = &results.sweep.plan;
    let (done, all) = (results.done(), results.found.len());
    let mut out =
        format!("{BOLD}{}{BOLD:#}: {done} of {} done\n\n", plan.name, counted(all as u64, "campaign"));
    out += &table(scores, &results.variants(), plan.baseline, comparison, columns().unwrap_or(80));
    if done > 0 {
        let (name, flag) = (&plan.name, &results.flag);
        let hint = format!(
            "`twicetold sweep show {name}{flag} --score SCORE --campaign ID` lists the events behind a score; \
             `--campaigns` lists the ids."
        );
        out += &format!("\n{}\n", hanging(&hint, "", ""));
    }
    out + &failed(results)
}

/// The campaigns that failed, each with its reason; nothing where none did.
pub(super) fn failed<S: Deref<Target = Sweep>>(results: &Results<S>) -> String {
    let (plan, mut out) = (&results.sweep.plan, String::new());
    let failed: Vec<(&Found, &String)> = results
        .found
        .iter()
        .filter_map(|one| match &one.standing {
            Standing::Failed(why) => Some((one, why)),
            _ => None,
        })
        .collect();
    if !failed.is_empty() {
        out += &format!("\n{} failed:\n", counted(failed.len() as u64, "campaign"));
    }
    for (one, why) in failed.iter().take(FAILED_SHOWN_MAX) {
        out += &format!("  {:.8}  {}\n", one.id, short(&plan.label(one.cell), 68));
        out += &format!("            {}\n", short(why, REASON_CHARS_MAX));
    }
    if failed.len() > FAILED_SHOWN_MAX {
        out += &format!("  and {} more\n", failed.len() - FAILED_SHOWN_MAX);
    }
    out
}

/// How a state is called, for people.
fn state(standing: &Standing) -> &'static str {
    match state_of(standing) {
        SweepState::Waiting => "waiting",
        SweepState::Begun => "begun",
        SweepState::Done => "done",
        SweepState::Failed => "failed",
    }
}

fn state_of(standing: &Standing) -> SweepState {
    match standing {
        Standing::Waiting => SweepState::Waiting,
        Standing::Begun => SweepState::Begun,
        Standing::Done => SweepState::Done,
        Standing::Failed(_) => SweepState::Failed,
    }
}

fn row_of<S: Deref<Target = Sweep>>(results: &Results<S>, found: &Found) -> SweepCampaign {
    let (plan, cell) = (&results.sweep.plan, found.cell);
    let reason = match &found.standing {
        Standing::Failed(why) => Some(why.to_string()),
        _ => None,
    };
    SweepCampaign {
        campaign: found.id.to_string(),
        plays: plan.campaigns[cell.campaign].text.clone(),
        variant: plan.variants[cell.variant].name.clone(),
        seed: cell.seed,
        repetition: cell.repetition,
        state: state_of(&found.standing),
        reason,
    }
}

fn whole<S: Deref<Target = Sweep>>(
    results: &Results<S>,
    scores: &[&'static Score],
    comparison: &Comparison,
) -> SweepResults {
    let plan = &results.sweep.plan;
    let campaigns = results.found.iter().map(|found| {
        let of = |score: &&'static Score| {
            (score.name, found.card.as_ref().and_then(|card| card.get(score.name)?.value))
        };
        ScoredCampaign { of: row_of(results, found), scores: scores.iter().map(of).collect() }
    });
    let rows = comparison.rows.iter().map(|row| row_shown(row, &plan.variants[row.variant].name));
    SweepResults {
        sweep: plan.name.clone(),
        baseline: plan.variants[plan.baseline].name.clone(),
        done: results.done() as u64,
        campaigns: campaigns.collect(),
        rows: rows.collect(),
    }
}

fn interval(interval: Interval) -> SweepInterval {
    match interval {
        Interval::Between(from, to) => SweepInterval::Between(from, to),
        Interval::TooFew => SweepInterval::TooFew,
        Interval::NoSpread => SweepInterval::NoSpread,
    }
}

fn row_shown(row: &Row, variant: &str) -> SweepRow {
    let difference = |of: Difference| SweepDifference {
        pairs: of.pairs as u64,
        mean: of.mean,
        interval: interval(of.interval),
    };
    SweepRow {
        variant: variant.to_owned(),
        score: row.score,
        campaigns: row.campaigns as u64,
        mean: row.mean,
        mean_interval: row.mean.map(|_| interval(row.interval)),
        difference: row.difference.map(difference),
    }
}

fn csv<S: Deref<Target = Sweep>>(results: &Results<S>, scores: &[&'static Score]) -> String {
    let names = ["campaign", "variant", "seed", "repetition", "id", "state"];
    let names = names.into_iter().chain(scores.iter().map(|score| score.name));
    let mut out = names.collect::<Vec<_>>().join(",") + "\n";
    let plan = &results.sweep.plan;
    for found in &results.found {
        let Cell { campaign, seed, repetition, variant } = found.cell;
        let mut fields = vec![
            csv_field(&plan.campaigns[campaign].text),
            csv_field(&plan.variants[variant].name),
            seed.to_string(),
            repetition.to_string(),
            found.id.to_string(),
            state(&found.standing).to_owned(),
        ];
        let value = |score: &&'static Score| found.card.as_ref()?.get(score.name)?.value;
        fields.extend(
            scores.iter().map(|score| value(score).map_or_else(String::new, |value| value.to_string())),
        );
        out += &(fields.join(",") + "\n");
    }
    out
}

fn campaigns<S: Deref<Target = Sweep>>(results: &Results<S>, json: bool) -> Result<ExitCode, Failure> {
    if json {
        let campaigns = results.found.iter().map(|found| row_of(results, found)).collect();
        let sweep = results.sweep.plan.name.clone();
        print(&data::document(SweepCampaigns { sweep, campaigns }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let plan = &results.sweep.plan;
    let mut out = String::new();
    for found in &results.found {
        let campaign = short(&plan.campaigns[found.cell.campaign].text, 30);
        let label = short(&plan.label(found.cell), 60);
        out += &format!("{:.8}  {:<8} {campaign}  {label}\n", found.id, state(&found.standing));
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// The events behind a score of one campaign.
fn events<S: Deref<Target = Sweep>>(
    results: &Results<S>,
    id: &str,
    score: &'static Score,
    json: bool,
) -> Result<ExitCode, Failure> {
    let flag = &results.flag;
    let found = find_cell(&results.found, id)?;
    let Some(value) = found.card.as_ref().and_then(|card| card.get(score.name)) else {
        let message = format!("the campaign {:.8} is not over: it has no scores yet", found.id);
        return Err(Failure::new(code::USAGE, message, "`twicetold sweep run` continues its sweep"));
    };
    if json {
        let event = |event: &Shown| ScoredEvent { number: event.number, what: event.what.clone() };
        print(&data::document(SweepScore {
            sweep: results.sweep.plan.name.clone(),
            of: row_of(results, found),
            score: score.name,
            value: value.value,
            events: value.events.iter().map(event).collect(),
            left_out: value.left_out,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let shown = value.value.map_or_else(|| "not known".to_owned(), |value| written(score.unit, value));
    let mut out = format!("{BOLD}{}{BOLD:#} of {:.8}: {shown}\n  {}\n\n", score.name, found.id, score.about);
    for Shown { number, what } in value.events.iter().take(EVENTS_SHOWN_MAX) {
        out += format!("  {:<8} {}", format!("#{number}"), short(what, 68)).trim_end();
        out.push('\n');
    }
    let more = (value.events.len().saturating_sub(EVENTS_SHOWN_MAX)) as u64 + value.left_out;
    if more > 0 {
        out += &format!("  and {more} more; --json lists up to 10,000\n");
    }
    if let Some(first) = value.events.first() {
        out += &format!(
            "\n`twicetold why {:.8} number {}{flag}` explains one of them.\n",
            found.id, first.number
        );
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// `sweep diff`: both sweeps as one with two variants, for each variant that both have.
pub(super) fn diff(library: &Library, arguments: &Diff) -> Result<ExitCode, Failure> {
    let (a, b) = (found(library, &arguments.a)?, found(library, &arguments.b)?);
    let (plan_a, plan_b) = (&a.sweep.plan, &b.sweep.plan);
    let scores: Vec<&'static Score> = SCORES
        .iter()
        .filter(|score| plan_a.scores.contains(score) || plan_b.scores.contains(score))
        .collect();
    let alone = plan_a.variants.len() == 1 && plan_b.variants.len() == 1;
    let same = |place_a: usize| {
        let name = &plan_a.variants[place_a].name;
        plan_b.variants.iter().position(|variant| alone || variant.name == *name)
    };
    let both: Vec<(usize, usize)> =
        (0..plan_a.variants.len()).filter_map(|place| Some((place, same(place)?))).collect();
    if both.is_empty() {
        let names = |variants: &[twicetold_sweep::Variant]| {
            variants.iter().map(|variant| variant.name.clone()).collect::<Vec<_>>().join("; ")
        };
        let message = format!("{} and {} have no variant in common", plan_a.name, plan_b.name);
        let help = format!(
            "{}: {}. {}: {}",
            plan_a.name,
            names(&plan_a.variants),
            plan_b.name,
            names(&plan_b.variants)
        );
        return Err(Failure::new(code::USAGE, message, help));
    }
    let (mut out, mut rows) = (String::new(), Vec::new());
    for (place_a, place_b) in both {
        let mut played = Vec::new();
        for one in a.played().into_iter().filter(|one| one.cell.variant == place_a) {
            played.push(Played { cell: Cell { variant: 0, ..one.cell }, ..one });
        }
        for one in b.played().into_iter().filter(|one| one.cell.variant == place_b) {
            // Campaigns are paired by their names, wherever a plan lists them.
            let name = &plan_b.campaigns[one.cell.campaign].text;
            let place = plan_a.campaigns.iter().position(|word| word.text == *name);
            if let Some(campaign) = place {
                played.push(Played { cell: Cell { variant: 1, campaign, ..one.cell }, ..one });
            }
        }
        // What one of them alone has played says nothing of the other.
        let of = |variant| {
            let of = played.iter().filter(move |one: &&Played| one.cell.variant == variant);
            of.map(|one| (one.cell.campaign, one.cell.seed)).collect::<BTreeSet<_>>()
        };
        let [here, there] = [of(0), of(1)];
        played
            .retain(|one| [&here, &there].iter().all(|of| of.contains(&(one.cell.campaign, one.cell.seed))));
        let comparison = compare(&scores, 2, 0, &played, plan_a.interval_seed);
        let named =
            |plan: &Plan, place: usize| format!("{} ({})", plan.name, short(&plan.variants[place].name, 40));
        let names = [named(plan_a, place_a), named(plan_b, place_b)];
        rows.extend(comparison.rows.iter().map(|row| row_shown(row, &names[row.variant])));
        out += &table(&scores, &names, 0, &comparison, columns().unwrap_or(80));
    }
    page(&if arguments.json { data::document(SweepComparison { rows }) } else { out })?;
    Ok(ExitCode::SUCCESS)
}
