//! The turn protocol: who speaks, what ends a turn, what ends a campaign.

use twicetold_event::{
    CampaignEnded, Check, EncounterUnresolved, Ending, Phase, Purpose, Seat, SpeakerChosen, SpeakerRule,
    StateDigested, TurnBegan, TurnEnd, TurnEnded, Values,
};

use super::{combat, dialogue, encounter, failure, fate, narrator, reminders, session_zero, speaker};
use crate::question::is_guided;
use crate::table::{Next, Table};

/// A seat's turn begins, and it is asked.
pub(super) fn begin(table: &mut Table<'_>, seat: Seat) -> Next {
    let turn = table.state().turn().number + 1;
    table.emit(TurnBegan { turn, seat });
    if seat == Seat::Dm {
        reminders::give(table);
    }
    if !table.state().is_person(seat) && is_guided(table.state(), seat, Purpose::Play) {
        let end = match seat {
            Seat::Dm => narrator::acts(table),
            Seat::Player(_) => narrator::says(table, seat),
            Seat::Memory => None,
        };
        if let Some(end) = end {
            return Next::EndTurn(end);
        }
    }
    ask(table)
}

/// The seat whose turn it is, is asked (again).
pub(super) fn ask(table: &Table<'_>) -> Next {
    let Some(seat) = table.state().turn().seat else { return Next::Stop };
    let purpose = match (table.state().phase(), table.state().dialogue()) {
        (Phase::Play, Some(_)) => Purpose::Dialogue,
        (Phase::Play, None) => Purpose::Play,
        _ => Purpose::SessionZero,
    };
    Next::Ask(seat, purpose)
}

/// The turn is over.
pub(super) fn end(table: &mut Table<'_>, why: TurnEnd) -> Next {
    let turn = table.state().turn().number;
    table.emit(TurnEnded { turn, why });
    Next::SumUp
}

/// What a turn's end leads to is decided here and nowhere else.
pub(super) fn close(table: &mut Table<'_>) -> Next {
    if table.state().phase() == Phase::Play {
        dialogue::expire_feelings(table);
        dialogue::end_at_limit(table);
        dialogue::end_without_speakers(table);
        fate::at_turn_end(table);
        failure::at_turn_end(table);
        encounter::end_at_limit(table);
    } else {
        session_zero::close_at_limit(table);
    }
    if end_campaign_if_over(table) {
        return Next::Stop;
    }
    let digest = table.state().digest();
    table.emit(StateDigested { digest });
    Next::AfterTurn
}

/// Chooses the next speaker and begins its turn.
pub(super) fn next(table: &mut Table<'_>) -> Next {
    let seat = match (table.state().dialogue(), table.state().combat()) {
        (Some(_), _) => dialogue::next(table),
        (None, Some(_)) => combat::next(table),
        (None, None) => None,
    };
    let seat = seat.unwrap_or_else(|| next_in_story(table));
    begin(table, seat)
}

fn next_in_story(table: &mut Table<'_>) -> Seat {
    let state = table.state();
    let dm_opens = state.table().rounds == 0 && state.table().spoken.is_empty();
    let encounter_opens = state.encounter().is_some_and(|encounter| encounter.messages == 0);
    let conversations = state.conversations();
    let (seat, rule, values) = if (dm_opens && state.phase() != Phase::Play) || encounter_opens {
        (Seat::Dm, SpeakerRule::DmOpensPhase, Values::default().with("phase", state.phase().name()))
    } else if let Some(struck) = state.encounter().and_then(|encounter| encounter.struck.as_ref()) {
        (Seat::Dm, SpeakerRule::TellsFailure, Values::default().with("label", &struck.label))
    } else if conversations.ended_turn == state.turn().number && conversations.begun > 0 {
        (Seat::Dm, SpeakerRule::DialogueOver, Values::default())
    } else if state.turn().seat == Some(Seat::Dm) {
        speaker::choose(state, &speaker::last_words_of_the_dm(table))
    } else {
        (Seat::Dm, SpeakerRule::DmSpeaksLast, Values::default())
    };
    table.emit(SpeakerChosen { seat, rule, values });
    seat
}

/// Ends the campaign when nothing is left to play or a limit is reached; true when it is over.
fn end_campaign_if_over(table: &mut Table<'_>) -> bool {
    let Some((ending, reason)) = ending(table) else {
        remember_if_over(table);
        if table.state().phase() == Phase::Play && table.state().encounter().is_none() {
            encounter::begin(table, table.state().encounters_over().len());
        }
        return false;
    };
    if let Some(encounter) = table.state().encounter() {
        let (encounter, messages) = (encounter.id.clone(), encounter.messages);
        encounter::end_what_is_open(table, reason.clone());
        table.emit(EncounterUnresolved { encounter, reason: reason.clone(), messages });
    }
    remember_if_over(table);
    let digest = table.state().digest();
    table.emit(StateDigested { digest });
    table.emit(CampaignEnded { ending, reason });
    true
}

fn remember_if_over(table: &mut Table<'_>) {
    if table.state().encounter().is_none() {
        encounter::remember(table);
    }
}

fn ending(table: &Table<'_>) -> Option<(Ending, Check)> {
    let setup = table.state().setup();
    let over = table.state().encounters_over().len();
    if table.state().phase() == Phase::Play
        && table.state().encounter().is_none()
        && over >= setup.encounters.len()
    {
        return Some((
            Ending::Finished,
            Check::new("encounters_over").with("over", over).with("encounters", setup.encounters.len()),
        ));
    }
    if fate::is_party_dead(table.state()) && table.state().encounter().is_none() {
        return Some((Ending::PartyLost, Check::new("party_lost")));
    }
    let limits = &setup.limits;
    let spent = table.state().calls().total();
    let tokens = spent.input_tokens.saturating_add(spent.output_tokens);
    let turns = table.state().turn().number;
    // Session Zero always ends with valid artefacts, and its own limits see to it that it ends.
    if table.state().phase() == Phase::Play && turns >= limits.turns_max {
        return Some((Ending::TurnLimit, at_most("turns", turns, limits.turns_max)));
    }
    if table.state().phase() == Phase::Play && spent.calls >= limits.calls_max {
        return Some((Ending::CallLimit, at_most("calls", spent.calls, limits.calls_max)));
    }
    if table.state().phase() == Phase::Play && tokens >= limits.tokens_max {
        return Some((Ending::TokenLimit, at_most("tokens", tokens, limits.tokens_max)));
    }
    None
}

/// A limit of the campaign that was reached.
fn at_most(what: &str, observed: impl ToString, most: impl ToString) -> Check {
    Check::new(&format!("{what}_max")).with(what, observed).with("most", most)
}
