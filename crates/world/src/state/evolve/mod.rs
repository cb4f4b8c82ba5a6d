//! `evolve`: the only function that changes a [`State`]. Total and infallible: events are facts.

mod combat;
mod people;

use twicetold_event::*;

use super::*;

/// Applies one event that happened at `number` in an entry at time `at`.
pub fn evolve(state: &mut State, number: Number, at: Millis, event: &Event) {
    let origin = Origin(number);
    state.at = at;
    match event {
        Event::CampaignOpened(_) | Event::CampaignResumed(_) => state.life = Life::Running,
        Event::CampaignParked(word) => state.life = Life::Parked { reason: word.reason.clone() },
        Event::CampaignEnded(word) => {
            state.life = Life::Ended { ending: word.ending, observed: word.observed.clone() };
            state.calls.owed = None;
        }
        // The executor puts the new setup in place: contents are no part of an event.
        Event::CharterAmended(_) => {}
        Event::CampaignForked(_) => {
            state.life = Life::Running;
            state.calls.abandoned = 0;
            if let Some(owed) = state.calls.owed.as_mut() {
                (owed.due, owed.failed) = (None, 0);
            }
        }
        Event::CallWithdrawn(_) => state.calls.owed = None,
        Event::SeatTaken(word) => {
            state.table.people.insert(word.seat, word.person.clone());
        }
        Event::SeatReleased(word) => {
            state.table.people.remove(&word.seat);
        }
        Event::TurnBegan(word) => {
            state.turn = Turn { number: word.turn, seat: Some(word.seat), began: origin, ..Turn::default() };
        }
        Event::TurnEnded(_) => turn_ended(state),
        Event::SpeakerChosen(_) | Event::StateDigested(_) => {}
        Event::ModelCallRequested(word) => {
            state.calls.next = CallId(word.call.0.saturating_add(1));
            let (call, seat, purpose, digest) = (word.call, word.seat, word.purpose, word.digest);
            state.calls.owed =
                Some(Owed { call, seat, purpose, digest, failed: 0, due: None, requested: origin });
        }
        Event::RetryScheduled(word) => {
            if let Some(owed) = state.calls.owed.as_mut().filter(|owed| owed.call == word.call) {
                owed.failed = word.attempt.saturating_sub(1);
                owed.due = Some(word.due);
            }
        }
        Event::CallAbandoned(_) => {
            state.calls.owed = None;
            state.calls.abandoned = state.calls.abandoned.saturating_add(1);
        }
        Event::ReplyIgnored(_) => {}
        Event::ReplyRejected(_) => {
            state.turn.unusable = state.turn.unusable.saturating_add(1);
            remember(state, origin, event);
        }
        Event::MessageSpoken(word) => message_spoken(state, origin, event, word),
        Event::SpeechCut(_) => remember(state, origin, event),
        Event::SummaryWritten(word) => {
            let (to, text, fallback) = (word.to, word.text.clone(), word.fallback);
            state.history.summary = Some(Summary { to, text, fallback, origin });
            state.history.forget_before(to);
        }
        Event::NudgeGiven(word) => {
            state.table.nudged.insert(word.nudge as u8, state.turn.number);
            remember(state, origin, event);
        }
        Event::ToolAccepted(_) | Event::ToolRefused(_) => tool_called(state, origin, event),
        _ => evolve_game(state, origin, event),
    }
}

/// The input of an entry: what the clock and the owed call know of it, before any event.
pub(crate) fn receive(state: &mut State, at: Millis, input: &Input) {
    state.at = at;
    match input {
        Input::ModelReplied(word) => {
            let Some(owed) = state.calls.owed.take_if(|owed| owed.call == word.call) else { return };
            state.calls.abandoned = 0;
            let spent = state.calls.spent.entry((owed.seat, kind(owed.purpose).to_owned())).or_default();
            spent.calls = spent.calls.saturating_add(1);
            spent.input_tokens = spent.input_tokens.saturating_add(word.usage.input_tokens);
            spent.cached_tokens = spent.cached_tokens.saturating_add(word.usage.cached_tokens);
            spent.output_tokens = spent.output_tokens.saturating_add(word.usage.output_tokens);
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::PersonAnswered(word) if state.calls.owed.take_if(|owed| owed.call == word.call).is_some() => {
            state.turn.rounds = state.turn.rounds.saturating_add(1);
        }
        Input::ModelFailed(word) => {
            let Some(owed) = state.calls.owed.as_ref().filter(|owed| owed.call == word.call) else { return };
            let spent = state.calls.spent.entry((owed.seat, kind(owed.purpose).to_owned())).or_default();
            spent.failed = spent.failed.saturating_add(1);
        }
        Input::TimerFired(word) => {
            // The timer of an earlier attempt does not cut a later wait short.
            let waits = |owed: &&mut Owed| owed.call == word.call && owed.due == Some(word.due);
            if let Some(owed) = state.calls.owed.as_mut().filter(waits) {
                owed.due = None;
            }
        }
        Input::ResumeAsked(_) => {
            // Whoever resumes has looked: the calls given up before do not count against the ones to come.
            state.calls.abandoned = 0;
            if let Some(owed) = state.calls.owed.as_mut() {
                (owed.due, owed.failed) = (None, 0);
            }
        }
        _ => {}
    }
}

fn kind(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::SessionZero => "session zero",
        Purpose::Play => "play",
        Purpose::Summary { .. } => "summaries",
        Purpose::Dialogue => "dialogues",
        Purpose::DialogueSummary { .. } => "dialogue summaries",
        Purpose::Profile { .. } => "profiles",
    }
}

/// An event that prompts may show, in the history that is being written: the dialogue's while one is held.
fn remember(state: &mut State, origin: Origin, event: &Event) {
    let Some(npc) = dialogue_partner(state) else { return remember_in_main(state, origin, event) };
    let remembered = remembered(state, origin, event, npc.history.messages);
    let most = state.setup.limits.dialogue_history_events_max as usize;
    if let Some(npc) = open_dialogue(state) {
        npc.history.remember(remembered, most);
    }
}

fn remember_in_main(state: &mut State, origin: Origin, event: &Event) {
    let remembered = remembered(state, origin, event, state.history.messages.saturating_sub(1));
    let session_zero = state.table.phase != Phase::Play;
    state.history.remember(remembered, session_zero);
}

fn remembered(state: &State, origin: Origin, event: &Event, message: u32) -> Remembered {
    let (turn, seat) = (state.turn.number, state.turn.seat);
    Remembered { origin, event: event.clone(), tool_id: 0, message, turn, seat }
}

fn dialogue_partner(state: &State) -> Option<&Npc> {
    state.conversations.dialogue.as_ref().and_then(|dialogue| state.npcs.get(&dialogue.npc))
}

fn open_dialogue(state: &mut State) -> Option<&mut Npc> {
    state.conversations.dialogue.as_ref().and_then(|dialogue| state.npcs.get_mut(&dialogue.npc))
}

fn message_spoken(state: &mut State, origin: Origin, event: &Event, word: &MessageSpoken) {
    let turn = state.turn.number;
    if let Channel::Whisper(from, to) = word.channel {
        // Nobody at the table heard anything.
        if let Text::Written(text) = &word.text {
            let text = text.clone();
            state.conversations.whispers.push(Whisper { from, to, text, origin });
        }
        return remember(state, origin, event);
    }
    state.table.spoken.insert(word.seat);
    state.table.last_spoke.insert(word.seat, turn);
    state.turn.messages = state.turn.messages.saturating_add(1);
    if state.table.phase == Phase::Pitch && word.audience == Audience::All {
        state.session_zero.pitches.entry(word.seat).or_insert_with(|| word.text.clone());
    }
    if word.channel == Channel::Main {
        state.history.messages = state.history.messages.saturating_add(1);
        if let Some(encounter) = state.encounter.as_mut() {
            encounter.messages = encounter.messages.saturating_add(1);
            if word.seat == Seat::Dm {
                encounter.narrations = encounter.narrations.saturating_add(1);
            }
        }
    }
    if let (Channel::Dialogue(_), Seat::Dm) = (&word.channel, word.seat)
        && let Some(dialogue) = state.conversations.dialogue.as_mut()
    {
        dialogue.exchanges = dialogue.exchanges.saturating_add(1);
    }
    remember(state, origin, event);
}

fn turn_ended(state: &mut State) {
    let Some(seat) = state.turn.seat else { return };
    if seat == Seat::Dm {
        state.table.rounds = state.table.rounds.saturating_add(1);
        if let Some(encounter) = state.encounter.as_mut() {
            encounter.recent_checks.clear();
        }
    } else {
        // A mute turn is a turn: the seat was asked.
        state.table.last_spoke.insert(seat, state.turn.number);
    }
}

fn tool_called(state: &mut State, origin: Origin, event: &Event) {
    let seat = state.turn.seat.unwrap_or(Seat::Dm);
    let id = state.table.tool_ids.entry(seat).or_default();
    *id = id.saturating_add(1);
    let id = *id;
    if let Event::ToolAccepted(word) = event
        && matches!(word.tool.as_str(), "lookup_rules" | "search_rules")
    {
        state.turn.lookups = state.turn.lookups.saturating_add(1);
    }
    match event {
        Event::ToolAccepted(word) => state.turn.tools.push((word.fingerprint, true)),
        Event::ToolRefused(word) => state.turn.tools.push((word.fingerprint, false)),
        _ => {}
    }
    remember(state, origin, event);
    let session_zero = state.table.phase != Phase::Play;
    let last = if let Some(npc) = open_dialogue(state) {
        npc.history.kept.back_mut()
    } else if session_zero {
        state.history.session_zero.back_mut()
    } else {
        state.history.main.back_mut()
    };
    if let Some(last) = last {
        last.tool_id = id;
    }
}

fn evolve_game(state: &mut State, origin: Origin, event: &Event) {
    match event {
        Event::PhaseBegan(word) => {
            state.table.phase = word.phase;
            state.table.rounds = 0;
            state.table.spoken.clear();
            state.session_zero.missing.clear();
            if word.phase == Phase::Play {
                // Its artefacts go on; its transcript is in the journal.
                state.history.session_zero.clear();
                state.session_zero.pitches.clear();
            }
            remember(state, origin, event);
        }
        Event::PhaseClosed(_) | Event::MarkerIgnored(_) => {}
        Event::MarkerRefused(word) => {
            state.session_zero.missing.clone_from(&word.missing);
            remember(state, origin, event);
        }
        Event::ScenarioSet(word) => state.session_zero.scenario = Some((origin, word.clone())),
        Event::CharacterAccepted(word) => character_accepted(state, origin, word),
        Event::CharacterRefused(word) => {
            state.session_zero.refused.insert(word.seat, word.attempt);
            state.session_zero.reasons.insert(word.seat, word.reasons.clone());
            remember(state, origin, event);
        }
        Event::PartyDocumentUpdated(word) => {
            let section = SectionText { version: word.version, text: word.text.clone(), origin };
            state.document.sections.insert(word.section, section);
            state.document.turn = state.turn.number;
            remember(state, origin, event);
        }
        Event::DiceRolled(word) => {
            draw(state, &word.stream, word.counter);
            remember(state, origin, event);
        }
        Event::AbilityChecked(word) => {
            draw(state, &word.stream, word.counter);
            if let Some(encounter) = state.encounter.as_mut() {
                let tally = if word.success { &mut encounter.passed } else { &mut encounter.failed };
                *tally = tally.saturating_add(1);
                encounter.recent_checks.push((origin, word.clone()));
            }
            remember(state, origin, event);
        }
        Event::RulesLookedUp(_)
        | Event::RulesSearched(_)
        | Event::MemoryQueried(_)
        | Event::CampaignQueried(_)
        | Event::ItemUsed(_) => remember(state, origin, event),
        Event::DialogueBegan(_)
        | Event::DialogueJoined(_)
        | Event::DialogueEnded(_)
        | Event::DialogueSummarised(_)
        | Event::FactLearned(_) => people::dialogue(state, origin, event),
        Event::CharacterCreated(_)
        | Event::SupportingNpcCreated(_)
        | Event::SupportingNpcUpdated(_)
        | Event::NpcProfiled(_)
        | Event::NpcProfileKept(_)
        | Event::NpcStatusChanged(_)
        | Event::NpcHitPointsChanged(_)
        | Event::NpcConditionAdded(_)
        | Event::NpcConditionRemoved(_)
        | Event::TrustChanged(_)
        | Event::FeelingChanged(_)
        | Event::FeelingExpired(_)
        | Event::NpcRemembered(_) => people::npc(state, origin, event),
        Event::ItemExchanged(word) => people::exchanged(state, origin, event, word),
        Event::CombatBegan(_)
        | Event::CombatTurnBegan(_)
        | Event::AttackMade(_)
        | Event::FoeHitPointsChanged(_)
        | Event::SavingThrowMade(_)
        | Event::MoraleChecked(_)
        | Event::SpellCast(_)
        | Event::CombatEnded(_) => combat::combat(state, origin, event),
        // Another program wrote of it: no rule applies, and nothing of it is anybody's state.
        Event::ForeignOpened(_)
        | Event::ForeignSpoke(_)
        | Event::ForeignCalled(_)
        | Event::ForeignAnswered(_) => {}
        Event::PartyCarried(_) => {}
        Event::NpcCarried(word) => people::carried(state, origin, word),
        Event::EncounterBegan(_)
        | Event::DetailRevealed(_)
        | Event::GoalRegistered(_)
        | Event::EncounterResolved(_)
        | Event::EncounterUnresolved(_) => evolve_encounter(state, origin, event),
        _ => evolve_facts(state, origin, event),
    }
}

fn draw(state: &mut State, stream: &str, counter: u32) {
    state.dice.insert(stream.to_owned(), counter.saturating_add(1));
}

fn character_accepted(state: &mut State, origin: Origin, word: &CharacterAccepted) {
    let mut character = Character {
        sheet: word.sheet.clone(),
        hit_points: i64::from(word.sheet.hit_points),
        gold: state.setup.rules.pack.starting_gold,
        accepted: origin,
        changed: origin,
        hit_points_changed: origin,
        gold_changed: origin,
        ..Character::default()
    };
    for id in &word.sheet.equipment {
        let name =
            state.setup.rules.items.iter().find(|item| item.id == *id).map_or(id.as_str(), |item| &item.name);
        character.inventory.give(name, 1, origin);
    }
    state.session_zero.reasons.remove(&word.seat);
    state.characters.insert(word.seat, character);
}

fn evolve_encounter(state: &mut State, origin: Origin, event: &Event) {
    match event {
        Event::EncounterBegan(word) => {
            let index = state.setup.encounters.iter().position(|spec| spec.id == word.encounter).unwrap_or(0);
            state.encounter = Some(Encounter {
                index,
                id: word.encounter.clone(),
                draws: word.draws.iter().map(|draw| (draw.key.clone(), draw.value.clone())).collect(),
                registered: Vec::new(),
                messages: 0,
                narrations: 0,
                revealed: Vec::new(),
                passed: 0,
                failed: 0,
                recent_checks: Vec::new(),
                began: origin,
            });
            state.fill_encounter();
            if let Some(spec) = &state.spec {
                state.facts.location = Some((origin, spec.setting.location.clone()));
                state.facts.time_of_day = Some((origin, spec.setting.time_of_day.clone()));
                state.facts.objective = Some((origin, spec.objective.clone()));
                state.facts.scene = None;
            }
            state.combats_over.clear();
            state.spells_used.clear();
            people::cast(state, origin, index);
        }
        Event::DetailRevealed(word) => {
            if let Some(encounter) = state.encounter.as_mut() {
                encounter.revealed.push((origin, word.clone()));
            }
        }
        Event::GoalRegistered(word) => {
            if let Some(encounter) = state.encounter.as_mut() {
                encounter.registered.push(Goal {
                    id: word.id.clone(),
                    label: word.label.clone(),
                    primary: word.primary,
                    registered: Some(origin),
                });
            }
        }
        Event::EncounterResolved(word) => {
            end_encounter(state, origin, Some(&word.outcome), &word.summary, word.messages)
        }
        Event::EncounterUnresolved(word) => end_encounter(state, origin, None, &word.reason, word.messages),
        _ => {}
    }
    remember(state, origin, event);
}

fn end_encounter(state: &mut State, origin: Origin, outcome: Option<&String>, summary: &str, messages: u32) {
    let goals = state.goals();
    let Some(encounter) = state.encounter.take() else { return };
    state.spec = None;
    let outcome = outcome.map(|id| {
        let label = goals.iter().find(|goal| goal.id == *id).map(|goal| goal.label.clone());
        (id.clone(), label.unwrap_or_default())
    });
    state.encounters_over.push(EncounterEnd {
        id: encounter.id,
        outcome,
        summary: summary.to_owned(),
        messages,
        goals,
        ended: origin,
    });
}

fn evolve_facts(state: &mut State, origin: Origin, event: &Event) {
    let turn = state.turn.number;
    let facts = &mut state.facts;
    match event {
        Event::LocationChanged(word) => facts.location = Some((origin, word.text.clone())),
        Event::TimeOfDayChanged(word) => facts.time_of_day = Some((origin, word.text.clone())),
        Event::SceneChanged(word) => facts.scene = Some((origin, word.text.clone())),
        Event::ObjectiveSet(word) => facts.objective = Some((origin, word.text.clone())),
        Event::ExperienceGained(word) => facts.experience = word.now,
        Event::FlagSet(word) => {
            facts.flags.insert(word.flag.clone(), (origin, word.value.clone()));
        }
        Event::FlagDeleted(word) => {
            facts.flags.remove(&word.flag);
        }
        Event::NotableEventRecorded(word) => facts.notable.push(origin, &word.text),
        Event::ImportantEventRecorded(word) => {
            facts.important.push(origin, &word.text);
            facts.major_event_turn = turn;
            people::witness(state);
        }
        Event::MilestoneReached(word) => {
            facts.milestones.push(origin, &word.text);
            facts.major_event_turn = turn;
        }
        Event::QuestAdded(word) => facts.quests.push((origin, word.text.clone(), false)),
        Event::QuestCompleted(word) => {
            let wanted = fold(&word.text);
            for quest in facts.quests.iter_mut().filter(|quest| fold(&quest.1) == wanted) {
                quest.2 = true;
            }
        }
        Event::NpcMet(word) => {
            facts
                .npcs
                .entry(word.npc.clone())
                .or_insert_with(|| Met { name: word.name.clone(), met: origin });
        }
        _ => evolve_character(state, origin, event),
    }
    remember(state, origin, event);
}

fn evolve_character(state: &mut State, origin: Origin, event: &Event) {
    let name = match event {
        Event::ItemAdded(word) => &word.character,
        Event::ItemRemoved(word) => &word.character,
        Event::HitPointsChanged(word) => &word.character,
        Event::GoldChanged(word) => &word.character,
        Event::ConditionAdded(word) => &word.character,
        Event::ConditionRemoved(word) => &word.character,
        _ => return,
    };
    let Some(character) = state.characters.values_mut().find(|character| character.sheet.name == *name)
    else {
        return;
    };
    character.changed = origin;
    match event {
        Event::ItemAdded(word) => character.inventory.give(&word.item, word.quantity, origin),
        Event::ItemRemoved(word) => character.inventory.take(&word.item, word.applied, origin),
        Event::HitPointsChanged(word) => {
            (character.hit_points, character.hit_points_changed) = (word.now, origin);
        }
        Event::GoldChanged(word) => (character.gold, character.gold_changed) = (word.now, origin),
        Event::ConditionAdded(word) => {
            character.conditions.entry(word.condition.clone()).or_insert(origin);
        }
        Event::ConditionRemoved(word) => {
            character.conditions.remove(&word.condition);
        }
        _ => {}
    }
}
