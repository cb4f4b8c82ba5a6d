//! The turn protocol: who speaks, what ends a turn, what ends a campaign.

use twicetold_event::*;
use twicetold_projection::{is_document_stale, messages_max, words};

use crate::{Campaign, speaker};

impl Campaign {
    /// A seat's turn begins, and it is asked.
    pub(crate) fn begin_turn(&mut self, seat: Seat) {
        let turn = self.state.turn().number + 1;
        self.emit(TurnBegan { turn, seat });
        if seat == Seat::Dm {
            self.nudge();
        }
        self.ask_again();
    }

    /// The seat whose turn it is, is asked (again).
    pub(crate) fn ask_again(&mut self) {
        let Some(seat) = self.state.turn().seat else { return };
        let purpose = match (self.state.phase(), self.state.dialogue()) {
            (Phase::Play, Some(_)) => Purpose::Dialogue,
            (Phase::Play, None) => Purpose::Play,
            _ => Purpose::SessionZero,
        };
        self.request(seat, purpose);
    }

    /// The turn is over. What its end leads to is decided here and nowhere else.
    pub(crate) fn end_turn(&mut self, why: TurnEnd) {
        let turn = self.state.turn().number;
        self.emit(TurnEnded { turn, why });
        if self.state.phase() == Phase::Play {
            self.expire_feelings();
            self.end_dialogue_at_its_limit();
            self.end_encounter_at_its_limit();
        } else {
            self.close_phase_at_its_limit();
        }
        if !self.end_campaign_if_over() {
            let digest = self.state.digest();
            self.emit(StateDigested { digest });
            self.after_the_turn();
        }
    }

    /// Between two turns the keeper of memory does its work, one thing after the other; then the next turn begins.
    pub(crate) fn after_the_turn(&mut self) {
        if !self.ask_the_keeper() && !self.summarise_if_needed() {
            self.next_turn();
        }
    }

    /// Chooses the next speaker and begins its turn.
    pub(crate) fn next_turn(&mut self) {
        if self.state.dialogue().is_some() {
            return self.next_in_dialogue();
        }
        if self.state.combat().is_some() && self.next_in_combat() {
            return;
        }
        let dm_opens = self.state.table().rounds == 0 && self.state.table().spoken.is_empty();
        let encounter_opens = self.state.encounter().is_some_and(|encounter| encounter.messages == 0);
        let last = self.state.turn().seat;
        let (seat, rule, values) = if (dm_opens && self.state.phase() != Phase::Play) || encounter_opens {
            let values = Values::default().with("phase", self.state.phase().name());
            (Seat::Dm, SpeakerRule::DmOpensPhase, values)
        } else if self.state.conversations().ended_turn == self.state.turn().number
            && self.state.conversations().begun > 0
        {
            (Seat::Dm, SpeakerRule::DialogueOver, Values::default())
        } else if last == Some(Seat::Dm) {
            let message = self.last_words_of_the_dm();
            speaker::choose(&self.state, &message)
        } else {
            (Seat::Dm, SpeakerRule::DmSpeaksLast, Values::default())
        };
        self.emit(SpeakerChosen { seat, rule, values });
        self.begin_turn(seat);
    }

    pub(crate) fn last_words_of_the_dm(&self) -> String {
        let turn = self.state.turn().number;
        let history = self.state.history();
        let dialogue = self.state.dialogue().and_then(|dialogue| self.state.npcs().get(&dialogue.npc));
        let window = match (self.state.phase(), dialogue) {
            (Phase::Play, Some(npc)) => &npc.history.kept,
            (Phase::Play, None) => &history.main,
            _ => &history.session_zero,
        };
        let spoken = window.iter().rev().take_while(|kept| kept.turn == turn);
        let mut texts: Vec<&str> = spoken
            .filter_map(|kept| match &kept.event {
                Event::MessageSpoken(word) => Some(words(&self.replies, &word.text)),
                _ => None,
            })
            .collect();
        texts.reverse();
        texts.join("\n")
    }

    fn end_encounter_at_its_limit(&mut self) {
        let Some(encounter) = self.state.encounter() else { return };
        let (id, messages, most) = (encounter.id.clone(), encounter.messages, messages_max(&self.state));
        if messages >= most {
            let reason = Check::new("messages_max").with("messages", messages).with("most", most);
            self.end_what_is_open(reason.clone());
            self.emit(EncounterUnresolved { encounter: id, reason, messages });
        }
    }

    /// Ends the campaign when nothing is left to play or a limit is reached; true when it is over.
    fn end_campaign_if_over(&mut self) -> bool {
        let Some((ending, reason)) = self.ending() else {
            self.remember_if_over();
            if self.state.phase() == Phase::Play && self.state.encounter().is_none() {
                self.begin_encounter(self.state.encounters_over().len());
            }
            return false;
        };
        if let Some(encounter) = self.state.encounter() {
            let (encounter, messages) = (encounter.id.clone(), encounter.messages);
            self.end_what_is_open(reason.clone());
            self.emit(EncounterUnresolved { encounter, reason: reason.clone(), messages });
        }
        self.remember_if_over();
        let digest = self.state.digest();
        self.emit(StateDigested { digest });
        self.emit(CampaignEnded { ending, reason });
        true
    }

    /// With an encounter ends what goes on in it.
    fn end_what_is_open(&mut self, reason: Check) {
        self.end_dialogue(DialogueEnd::EncounterOver);
        self.end_combat(CombatOutcome::BrokenOff, reason);
    }

    fn remember_if_over(&mut self) {
        if self.state.encounter().is_none() {
            self.write_memories_back();
        }
    }

    fn ending(&self) -> Option<(Ending, Check)> {
        let setup = self.state.setup();
        let over = self.state.encounters_over().len();
        if self.state.phase() == Phase::Play
            && self.state.encounter().is_none()
            && over >= setup.encounters.len()
        {
            return Some((
                Ending::Finished,
                Check::new("encounters_over").with("over", over).with("encounters", setup.encounters.len()),
            ));
        }
        let limits = &setup.limits;
        let spent = self.state.calls().total();
        let tokens = spent.input_tokens.saturating_add(spent.output_tokens);
        let turns = self.state.turn().number;
        // Session Zero always ends with valid artefacts, and its own limits see to it that it ends.
        if self.state.phase() == Phase::Play && turns >= limits.turns_max {
            return Some((Ending::TurnLimit, at_most("turns", turns, limits.turns_max)));
        }
        if self.state.phase() == Phase::Play && spent.calls >= limits.calls_max {
            return Some((Ending::CallLimit, at_most("calls", spent.calls, limits.calls_max)));
        }
        if self.state.phase() == Phase::Play && tokens >= limits.tokens_max {
            return Some((Ending::TokenLimit, at_most("tokens", tokens, limits.tokens_max)));
        }
        None
    }

    /// Reminders of housekeeping: one mechanism, several reminders, each with a cooldown.
    fn nudge(&mut self) {
        if let Some(dialogue) = self.state.dialogue() {
            let (had, most) = (dialogue.exchanges, self.state.setup().limits.dialogue_exchanges_max);
            if had * 3 >= most * 2 {
                let values = Values::default().with("had", had).with("most", most);
                self.nudge_once(Nudge::DialogueLeftOpen, values);
            }
            return;
        }
        if is_document_stale(&self.state) {
            self.nudge_once(Nudge::PartyDocumentStale, Values::default());
        }
        if let Some(name) = self.unrecorded_npc() {
            self.nudge_once(Nudge::NpcNotRecorded, Values::default().with("name", name));
        }
    }

    fn nudge_once(&mut self, nudge: Nudge, values: Values) {
        let cooldown = self.state.setup().limits.nudge_cooldown_turns;
        let last = self.state.table().nudged.get(&(nudge as u8)).copied();
        if last.is_none_or(|last| self.state.turn().number.saturating_sub(last) >= cooldown) {
            self.emit(NudgeGiven { nudge, values });
        }
    }

    /// An NPC of the encounter whom the DM has named lately and nobody has recorded.
    fn unrecorded_npc(&self) -> Option<String> {
        let spec = self.state.encounter_spec()?;
        let recent = self.state.history().main.iter().rev().take(12);
        let spoken: Vec<&str> = recent
            .filter_map(|kept| match &kept.event {
                Event::MessageSpoken(word) if word.seat == Seat::Dm => Some(words(&self.replies, &word.text)),
                _ => None,
            })
            .collect();
        let unmet = spec.npcs.iter().filter(|npc| !self.state.facts().npcs.contains_key(&npc.id));
        unmet
            .map(|npc| npc.name())
            .find(|name| spoken.iter().any(|text| text.contains(name)))
            .map(str::to_owned)
    }
}

/// A limit of the campaign that was reached.
fn at_most(what: &str, observed: impl ToString, most: impl ToString) -> Check {
    Check::new(&format!("{what}_max")).with(what, observed).with("most", most)
}
