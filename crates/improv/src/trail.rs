//! The way to an ending: checks of the encounter that lead to one of its goals. Every check that is passed leads one step further.

use super::clue::{clues, just_said, points_to};
use super::deed::{Deed, Kind};
use super::nouns::quarry;
use super::pick::Pick;
use super::read::names;
use super::request::Request;
use super::state::Row;
use super::story::{called, check_note, ending_of, own, person_of};
use super::talks;

/// The kind of goal that is steered for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    Primary,
    Secondary,
    /// A goal that the DM registers once the players show how they go about it.
    Own,
}

/// An encounter of at most so many messages has no time for a step for everybody.
const BRIEF: i64 = 24;
/// So many steps lead to an ending, and as many as there are players and one more, so that all of them do something; as far as there are
/// checks that belong to it or to no ending,
const STEPS_MIN: usize = 3;
/// and so many if some have to be taken from another: what is begun there and left is a thread that hangs.
const STEPS_LEAST: usize = 2;

/// The abilities that words go by, as the bundled rules name them.
const WORDS: &[&str] = &["CHA", "HEART"];

/// How a step is remembered: "Kira managed to climb the wall."
const MANAGED: &str = " managed to ";
/// And one that was tried: "Kira failed to climb the wall."
const FAILED: &str = " failed to ";
/// What has failed so often is left for a while: another way may lead there.
pub(super) const FAILURES: usize = 2;

/// The plan of an encounter.
pub(super) struct Trail<'r> {
    request: &'r Request<'r>,
    /// Every one of the DM's people.
    pub(super) people: Vec<String>,
    /// What the party is after, if the objective names a thing: nobody speaks of it as a secret.
    pub(super) quarry: String,
    pub(super) aim: Aim,
    /// The goal that is steered for, as far as there is one.
    pub(super) goal: Option<&'r Row>,
    pub(super) deed: Deed,
    /// The checks that lead there, by name.
    pub(super) steps: Vec<&'r str>,
    /// How many of them the goal needs: the last ones, in their order.
    needed: usize,
    /// Whether what the goal needs is begun before the other steps are made.
    is_direct: bool,
    /// Those of them that have been passed.
    done: Vec<&'r str>,
    /// A check that leads nowhere yet, for when the steps do not work.
    detour: Option<&'r str>,
    /// The check of which somebody has just said what they noticed.
    pointed: Option<&'r str>,
    /// How many steps were made before the DM last spoke.
    pub(super) before: usize,
    /// How many are made by now.
    pub(super) now: usize,
}

impl<'r> Trail<'r> {
    /// The plan for the encounter of this request, and how far it has come.
    pub(super) fn of(request: &'r Request<'r>) -> Trail<'r> {
        let state = &request.state;
        let stable = Pick::new(request.seed, &["trail", &state.encounter.head]);
        let aim = match stable.draw("aim").below(100) {
            0..67 => Aim::Primary,
            67..77 => Aim::Own,
            _ => Aim::Secondary,
        };
        // Where a check does not give way, another goal is in sight.
        let gives = |goal: &&Row| needs(goal).all(|step| failures(request, step) < FAILURES);
        let fresh: Vec<&str> =
            state.last_checks.iter().filter(|row| row.has("success")).map(|row| row.flag(0)).collect();
        let noted = |step: &str| request.noted().any(|line| is_made(line, step));
        let passed = |step: &str| fresh.contains(&step) || noted(step);
        let of_kind = |primary: bool| {
            let kind = |goal: &&Row| !own(goal) && goal.has("primary") == primary;
            let goals: Vec<&Row> = state.goals.iter().filter(kind).collect();
            let planned = stable.draw("goal").choose(&goals).copied();
            // What has been done for another is not done in vain.
            let made = |goal: &&Row| needs(goal).filter(|step| passed(step)).count();
            let other = || state.goals.iter().filter(|goal| !own(goal)).rev().filter(gives).max_by_key(made);
            // Where none gives, the one that is nearest.
            let nearest = || goals.iter().copied().filter(|goal| made(goal) > 0).max_by_key(made);
            planned.filter(gives).or_else(other).or_else(nearest).or(planned)
        };
        // What the players have reached by a way of their own is reached.
        let is_reached = |goal: &&Row| !own(goal) && needs(goal).next().is_some() && needs(goal).all(passed);
        let planned = match aim {
            _ if let Some(reached) = state.goals.iter().find(is_reached) => Some(reached),
            Aim::Secondary => of_kind(false).or_else(|| of_kind(true)),
            Aim::Primary | Aim::Own => of_kind(true),
        };
        // An ending that the material tells is a better one than any that is made up on the way.
        let is_told = planned.is_some_and(|goal| !ending_of(request, &goal.head).is_empty());
        let is_kept = is_told || planned.as_ref().is_some_and(is_reached);
        let registered = state.goals.iter().find(|goal| aim == Aim::Own && own(goal) && !is_kept);
        let goal = registered.or(planned);
        // Whoever is down says nothing any more.
        let stands = |row: &&Row| {
            let person = state.persons.iter().find(|person| person.head == row.head);
            person.is_none_or(|person| !person.get("hp").starts_with("0/"))
        };
        let people: Vec<String> = state.npcs.iter().filter(stands).map(called).collect();
        let (steps, needed, detour) = steps(request, planned, &stable);
        let detour = detour.filter(|step| !passed(step));
        // Without a record of it, the number of checks that passed must do.
        let counted = usize::try_from(state.passed).unwrap_or(0).min(steps.len());
        let is_noted = request.offers("record_event");
        let done = steps
            .iter()
            .copied()
            .enumerate()
            .filter(|(place, step)| passed(step) || (!is_noted && *place < counted))
            .map(|(_, step)| step)
            .collect();
        let now = usize::try_from(state.passed).unwrap_or(0);
        Trail {
            request,
            quarry: quarry(&state.objective).unwrap_or_default(),
            aim,
            goal,
            deed: Deed::of(goal.map_or("", |goal| goal.get("label")), &people),
            steps,
            needed,
            is_direct: stable.draw("direct").below(2) == 0,
            done,
            detour,
            pointed: just_said(request).and_then(|clue| points_to(request, clue.text)),
            before: now.saturating_sub(fresh.len()),
            now,
            people,
        }
    }

    /// Is this the check by which the goal is reached?
    pub(super) fn is_last(&self, step: &str) -> bool {
        self.needed > 0 && self.steps.last() == Some(&step)
    }

    /// Is the next step one with this person? What they would say apart is said there.
    pub(super) fn is_next_with(&self, name: &str) -> bool {
        self.next().is_some_and(|step| person_of(self.request, step) == Some(name))
    }

    /// Whether words could make the next step.
    pub(super) fn takes_words(&self) -> bool {
        self.needs(WORDS)
    }

    /// Does the next step ask for one of these abilities?
    fn needs(&self, abilities: &[&str]) -> bool {
        let check = |step: &str| self.request.state.checks.iter().find(|row| row.head == step);
        self.next().and_then(check).is_some_and(|row| abilities.contains(&row.get("ability")))
    }

    /// The step that the players are at; nothing when only the last deed is left.
    pub(super) fn next(&self) -> Option<&'r str> {
        if self.is_walked() {
            return None;
        }
        let undone = |steps: &[&'r str]| -> Vec<&'r str> {
            steps.iter().copied().filter(|step| !self.done.contains(step)).collect()
        };
        let (others, needed) = self.steps.split_at(self.steps.len() - self.needed);
        // What a goal needs comes in order; what it does not need is left when it does not give way.
        let mut open: Vec<&str> = undone(others);
        open.retain(|step| self.needed == 0 || self.failures(step) < FAILURES);
        let lacking = undone(needed);
        // Where enough has been done, whatever it was, nobody goes back to the beginning.
        let is_enough = self.needed > 0 && self.now + lacking.len() >= self.steps.len();
        if is_enough {
            open.clear();
        }
        match lacking.as_slice() {
            [first, _, ..] if self.is_direct && lacking.len() == needed.len() => open.insert(0, first),
            _ => open.extend(lacking.first()),
        }
        let stuck = open.iter().all(|step| self.failures(step) >= FAILURES);
        open.extend(self.detour.filter(|_| stuck));
        if let Some(step) = self.pointed.filter(|step| open.contains(step)) {
            return Some(step);
        }
        // What was begun is tried again before anything else is: two threads in turn lead nowhere.
        let begun = |step: &&str| (1..FAILURES).contains(&self.failures(step));
        let at = open.iter().copied().find(begun);
        at.or_else(|| open.into_iter().min_by_key(|step| self.failures(step)))
    }

    /// What the goal needs and is not done yet.
    fn lacking(&self) -> impl Iterator<Item = &&'r str> {
        let needed = &self.steps[self.steps.len() - self.needed..];
        needed.iter().filter(|step| !self.done.contains(step))
    }

    /// Is the last thing that leads to the goal a check, behind which nothing is left to do?
    pub(super) fn is_done_by_a_check(&self) -> bool {
        self.needed > 0 && self.deed.is_whole()
    }

    /// Has everything been done that leads to the goal? What it needs is enough.
    pub(super) fn is_walked(&self) -> bool {
        let all = self.needed > 0 || self.now.max(self.done.len()) >= self.steps.len();
        all && self.lacking().next().is_none()
    }

    /// How often a check has failed, by the records.
    pub(super) fn failures(&self, step: &str) -> usize {
        failures(self.request, step)
    }

    /// Whether a step was made since the DM last spoke.
    pub(super) fn has_gained(&self) -> bool {
        self.now > self.before
    }

    /// What is to be done now, as after "to".
    pub(super) fn task(&self) -> String {
        match (self.next(), &self.deed.kind) {
            (Some(step), _) => step.to_owned(),
            (None, Kind::Person(..)) => format!("{}, who will now {}", self.deed.base, self.deed.promised()),
            (None, Kind::Other) => self.deed.base.clone(),
        }
    }

    /// Who is there when the next step is to be made.
    pub(super) fn partner(&self) -> String {
        let stable = Pick::new(self.request.seed, &["partner", &self.request.state.encounter.head]);
        let step = self.next().unwrap_or_default();
        // No foe helps anybody on, and whoever is here already is nearer.
        let foes: Vec<String> = talks::hostile(self.request).into_iter().map(called).collect();
        let mut others: Vec<&String> = self.people.iter().filter(|name| !foes.contains(name)).collect();
        let met: Vec<&String> =
            others.iter().copied().filter(|name| self.request.met().any(|met| names(met, name))).collect();
        if !met.is_empty() {
            others = met;
        }
        self.named_in(step)
            .or_else(|| stable.draw(step).choose(&others).map(|name| (*name).clone()))
            .unwrap_or_default()
    }

    /// Whom the material names for a check, as the person who is there or in what it says of it.
    pub(super) fn named_in(&self, step: &str) -> Option<String> {
        let meant = |text: &str| {
            let text = text.to_lowercase();
            let is_meant = |name: &&String| name.split(' ').any(|part| names(&text, &part.to_lowercase()));
            self.people.iter().find(is_meant).cloned()
        };
        let named =
            person_of(self.request, step).filter(|name| self.people.iter().any(|known| known == name));
        let told = named.map(str::to_owned).or_else(|| meant(step));
        told.or_else(|| meant(check_note(self.request, step)))
    }
}

/// The checks that a goal needs, by name.
fn needs(goal: &Row) -> impl Iterator<Item = &str> {
    goal.get("needs").split(';').map(str::trim).filter(|step| !step.is_empty())
}

/// How often a check has failed, by the records.
fn failures(request: &Request<'_>, step: &str) -> usize {
    request.noted().filter(|line| tells_of(line, FAILED, step)).count()
}

/// Does a record say this of a check? Names have their capitals there, whether the name of the check has them or not.
fn tells_of(line: &str, how: &str, step: &str) -> bool {
    line.to_lowercase().ends_with(&format!("{how}{step}.").to_lowercase())
}

/// Does a record say that this step was made?
fn is_made(line: &str, step: &str) -> bool {
    tells_of(line, MANAGED, step)
}

/// What somebody is remembered for who passed this check.
pub(super) fn feat(name: &str, step: &str) -> String {
    format!("{name}{MANAGED}{step}.")
}

/// The same of somebody who did not.
pub(super) fn failure(name: &str, step: &str) -> String {
    format!("{name}{FAILED}{step}.")
}

/// Who passed which check, where a record says so.
pub(super) fn managed(line: &str) -> Option<(&str, &str)> {
    let (who, check) = line.split_once(MANAGED)?;
    Some((who, check.trim_end_matches('.')))
}

/// Who failed at which check, where a record says so.
pub(super) fn failed(line: &str) -> Option<(&str, &str)> {
    let (who, check) = line.split_once(FAILED)?;
    Some((who, check.trim_end_matches('.')))
}

/// Is it noted that somebody passed one of these checks?
pub(super) fn is_feat(line: &str, checks: &[Row]) -> bool {
    let passed = line.split_once(MANAGED).map(|(_, check)| check.trim_end_matches('.'));
    let is_passed =
        |check: &Row| passed.is_some_and(|passed| passed.to_lowercase() == check.head.to_lowercase());
    checks.iter().any(is_passed)
}

/// The checks that lead to a goal: those that it needs, and before them others that lead to no other goal. A short encounter has time for few.
///
/// With how many of them the goal needs, and the next check that would come, if there is one for no other goal.
fn steps<'r>(
    request: &'r Request<'_>,
    goal: Option<&'r Row>,
    stable: &Pick,
) -> (Vec<&'r str>, usize, Option<&'r str>) {
    let state = &request.state;
    let is_brief = state.messages.all > 0 && state.messages.all <= BRIEF;
    let count = match is_brief {
        true => STEPS_MIN,
        false => STEPS_MIN.max(state.players.len() + 1),
    } + stable.draw("count").below(2);
    let known = |step: &&str| state.checks.iter().any(|row| row.head == *step);
    let needed: Vec<&str> = goal.into_iter().flat_map(needs).filter(known).collect();
    let all_needed: Vec<&str> = state.goals.iter().flat_map(needs).collect();
    let noticed: Vec<&str> = clues(request).iter().filter_map(|clue| points_to(request, clue.text)).collect();
    let mut others: Vec<&str> = Vec::new();
    let mut left: Vec<&str> =
        state.checks.iter().map(|row| row.head.as_str()).filter(|step| !needed.contains(step)).collect();
    // What another goal needs first, and not last, brings nobody there: it makes a short way longer.
    let begins = |goal: &Row| {
        let all: Vec<&str> = needs(goal).collect();
        if all.len() > 1 { all.first().map(|step| (*step).to_owned()) } else { None }
    };
    let beginnings: Vec<String> = state.goals.iter().filter_map(begins).collect();
    // What another goal needs leads elsewhere, unless nothing leads to this one.
    while !left.is_empty() {
        let free: Vec<&str> = left.iter().copied().filter(|step| !all_needed.contains(step)).collect();
        let is_short = needed.len() + others.len() < STEPS_LEAST;
        let longer = |step: &&str| is_short && beginnings.iter().any(|first| first == step);
        let mut pool = match (free.is_empty(), needed.is_empty()) {
            (false, _) => free,
            (true, true) => left.clone(),
            (true, false) => left.iter().copied().filter(longer).collect(),
        };
        if pool.is_empty() {
            break;
        }
        // What somebody has noticed leads somewhere.
        let of_clues: Vec<&str> = pool.iter().copied().filter(|step| noticed.contains(step)).collect();
        if !of_clues.is_empty() {
            pool = of_clues;
        }
        let Some(next) = stable.draw(&format!("step {}", others.len())).choose(&pool).copied() else { break };
        left.retain(|step| *step != next);
        others.push(next);
    }
    let left = others.split_off(count.saturating_sub(needed.len()).min(others.len()));
    let detour = left.into_iter().find(|step| !all_needed.contains(step));
    let count = needed.len();
    (others.into_iter().chain(needed).collect(), count, detour)
}
