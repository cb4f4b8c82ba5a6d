//! The steps from "something is gone" to an ending: every passed check leads exactly one step further.

use super::cast::Cast;
use super::deed::{Deed, Kind};
use super::pick::Pick;
use super::request::Request;
use super::state::Row;
use super::story::own;
use super::talks;

/// One step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beat {
    /// Who took it.
    Who,
    /// Where it is, when it is known who took it.
    Where,
    /// Both at once, in a short encounter.
    Trace,
    /// The thing itself.
    Get,
    /// The person.
    Win,
    /// Past those who want something else.
    Carry,
    /// A hearing for what has to be said.
    Hold,
    /// Whoever took it may not run.
    Catch,
}

/// The kind of goal that is steered for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    Primary,
    Secondary,
    /// A goal that the DM registers once the players show how they go about it.
    Own,
}

/// An encounter of at most so many messages has time for two steps.
const BRIEF: i64 = 24;

/// The plan of an encounter.
pub(super) struct Trail<'r> {
    pub(super) cast: Cast,
    pub(super) aim: Aim,
    /// The goal that is steered for, as far as there is one.
    pub(super) goal: Option<&'r Row>,
    pub(super) deed: Deed,
    pub(super) beats: Vec<Beat>,
    /// Steps that were made before the DM last spoke.
    pub(super) before: usize,
    /// Steps made by now.
    pub(super) now: usize,
    /// Whether the last of them was made in a conversation.
    pub(super) by_talk: bool,
}

impl<'r> Trail<'r> {
    /// The plan for the encounter of this request, and how far it has come.
    pub(super) fn of(request: &'r Request<'_>) -> Trail<'r> {
        let state = &request.state;
        let cast = Cast::of(request);
        let stable = Pick::new(request.seed, &["trail", &state.encounter.head]);
        let aim = match stable.draw("aim").below(100) {
            0..67 => Aim::Primary,
            67..90 => Aim::Own,
            _ => Aim::Secondary,
        };
        let of_kind = |primary: bool| {
            let goals: Vec<&Row> =
                state.goals.iter().filter(|goal| !own(goal) && goal.has("primary") == primary).collect();
            stable.draw("goal").choose(&goals).copied()
        };
        let goal = match aim {
            Aim::Primary => of_kind(true),
            Aim::Secondary => of_kind(false).or_else(|| of_kind(true)),
            Aim::Own => state.goals.iter().find(|goal| own(goal)).or_else(|| of_kind(true)),
        };
        let deed = Deed::of(goal.map_or("", |goal| goal.get("label")), &cast);
        let brief = state.messages.all > 0 && state.messages.all <= BRIEF;
        let by_person = stable.draw("way").chance(50);
        let passed = usize::try_from(state.passed).unwrap_or(0) + talks::steps_in_talks(request);
        let fresh = state.last_checks.iter().filter(|row| row.has("success")).count();
        let noted = request.results.iter().any(|result| result.contains(talks::IN_A_TALK));
        let mut trail = Trail {
            beats: beats(&deed.kind, brief, by_person),
            cast,
            aim,
            goal,
            deed,
            before: passed.saturating_sub(fresh + usize::from(noted)),
            now: passed,
            by_talk: noted,
        };
        if !noted && talks::ended(request).is_some_and(|ended| trail.is_given(&ended)) {
            trail.now += 1;
            trail.by_talk = true;
        }
        trail
    }

    /// Whether a conversation like this makes the next step: only words can, with the right person, who gave way.
    fn is_given(&self, ended: &talks::Ended) -> bool {
        let spoken = matches!(self.next(), Some(Beat::Who | Beat::Where | Beat::Trace | Beat::Win));
        spoken && ended.told.is_some() && self.partner() == ended.npc
    }

    /// The step that the players are at; nothing when only the last deed is left.
    pub(super) fn next(&self) -> Option<Beat> {
        self.beats.get(self.now).copied()
    }

    /// The steps that were made since the DM last spoke.
    pub(super) fn gained(&self) -> &[Beat] {
        let end = self.now.min(self.beats.len());
        self.beats.get(self.before.min(end)..end).unwrap_or(&[])
    }

    /// Whether a step of this kind has been made.
    pub(super) fn past(&self, beats: &[Beat]) -> bool {
        self.beats.iter().take(self.now).any(|beat| beats.contains(beat))
    }

    /// Whether it is known who took it.
    pub(super) fn knows_who(&self) -> bool {
        self.past(&[Beat::Who, Beat::Trace])
    }

    /// Who has to be won over.
    pub(super) fn wooed(&self) -> &str {
        match &self.deed.kind {
            Kind::Person(name, _) => name,
            _ => &self.cast.suspect,
        }
    }

    /// What is to be done now, as after "to".
    pub(super) fn task(&self) -> String {
        let Cast { quarry, suspect, obstacle, .. } = &self.cast;
        let brief = self.cast.brief();
        match self.next() {
            Some(Beat::Who) => format!("find out who took {quarry}"),
            Some(Beat::Where) => format!("find out where {suspect} has hidden {brief}"),
            Some(Beat::Trace) => format!("find out where {quarry} is"),
            Some(Beat::Get) => format!("fetch {brief} {}", self.cast.from()),
            Some(Beat::Win) => format!("win {} over", self.wooed()),
            Some(Beat::Carry) => format!("get {brief} past {obstacle}"),
            Some(Beat::Hold) => "make everybody listen".to_owned(),
            Some(Beat::Catch) => format!("keep {suspect} from running away"),
            None => match &self.deed.kind {
                Kind::Person(..) => format!("{}, who will now {}", self.deed.base, self.deed.promised()),
                _ => self.deed.base.clone(),
            },
        }
    }

    /// What somebody is remembered for who made this step.
    pub(super) fn feat(&self, beat: Beat, name: &str) -> String {
        let Cast { quarry, suspect, obstacle, hideaway, .. } = &self.cast;
        let brief = self.cast.brief();
        match beat {
            Beat::Who => format!("{name} found out that {suspect} took {quarry}."),
            Beat::Where => format!("{name} learned that {brief} was hidden {hideaway}."),
            Beat::Trace => format!("{name} learned that {suspect} took {quarry} and hid it {hideaway}."),
            Beat::Get => format!("{name} fetched {brief} {}.", self.cast.from()),
            Beat::Win => match &self.deed.kind {
                Kind::Person(wooed, _) => {
                    format!("{name} won {wooed} over, who promised to {}.", self.deed.promised())
                }
                Kind::Agreement => format!("{name} won {} over.", self.wooed()),
                _ => format!("{name} won {suspect} over, who gave up {brief}."),
            },
            Beat::Carry => format!("{name} got {brief} past {obstacle}."),
            Beat::Hold => format!("{name} made everybody listen."),
            Beat::Catch => format!("{name} kept {suspect} from running away."),
        }
    }

    /// Who is there when this step is to be made.
    pub(super) fn partner(&self) -> &str {
        let Cast { suspect, receiver, obstacle, witness, .. } = &self.cast;
        match self.next() {
            Some(Beat::Who | Beat::Trace) => witness,
            Some(Beat::Where | Beat::Get | Beat::Catch) => suspect,
            Some(Beat::Win) => self.wooed(),
            Some(Beat::Carry | Beat::Hold) => obstacle,
            None => receiver,
        }
    }
}

/// The steps to an ending of this kind.
fn beats(kind: &Kind, brief: bool, by_person: bool) -> Vec<Beat> {
    let (third, last) = match kind {
        Kind::Return if by_person => (Beat::Win, Beat::Carry),
        Kind::Return => (Beat::Get, Beat::Carry),
        Kind::Custody => (Beat::Get, Beat::Catch),
        Kind::Speech | Kind::Person(..) | Kind::Agreement => (Beat::Win, Beat::Hold),
    };
    if brief { vec![Beat::Trace, third] } else { vec![Beat::Who, Beat::Where, third, last] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_encounter_has_two_steps_and_a_long_one_four() {
        assert_eq!(beats(&Kind::Return, true, false), [Beat::Trace, Beat::Get]);
        assert_eq!(beats(&Kind::Speech, false, false), [Beat::Who, Beat::Where, Beat::Win, Beat::Hold]);
    }
}
