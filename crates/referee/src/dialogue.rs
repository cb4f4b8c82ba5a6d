//! Dialogues: who speaks in one, when others may join, when it ends by rule.

use twicetold_event::*;

use crate::{Campaign, speaker};

impl Campaign {
    /// The next speaker of the dialogue being held.
    pub(crate) fn next_in_dialogue(&mut self) {
        let Some(dialogue) = self.state.dialogue() else { return };
        let answered = self.state.turn().seat == Some(Seat::Dm) && dialogue.exchanges > 0;
        let just_begun = self.state.turn().seat == Some(Seat::Dm) && dialogue.exchanges == 0;
        let (seat, rule, values) = match (just_begun, answered) {
            (true, _) => (dialogue.partner, SpeakerRule::BeginsDialogue, Values::default()),
            (_, true) => self.next_player_in_dialogue(),
            _ => (Seat::Dm, SpeakerRule::CompanionAnswers, Values::default()),
        };
        self.emit(SpeakerChosen { seat, rule, values });
        let number = self.state.dialogue().filter(|dialogue| dialogue.present.contains(&seat));
        if let Some(dialogue) = number.map(|dialogue| dialogue.number) {
            self.emit(DialogueJoined { dialogue, seat });
        }
        self.begin_turn(seat);
    }

    /// Whom the character asked by name; else, of those who are part of it, the one who has waited longest.
    fn next_player_in_dialogue(&self) -> (Seat, SpeakerRule, Values) {
        let Some(dialogue) = self.state.dialogue() else {
            return (Seat::Dm, SpeakerRule::DialogueOver, Values::default());
        };
        let may_join = dialogue.exchanges >= self.state.setup().limits.dialogue_join_after;
        let able: Vec<Seat> = self.state.able().collect();
        let may_speak = |seat: &Seat| {
            dialogue.joined.contains_key(seat)
                || (may_join && dialogue.present.contains(seat) && able.contains(seat))
        };
        let message = self.last_words_of_the_dm();
        if let Some((seat, sentence)) =
            speaker::asked_or_addressed(&self.state, &message).filter(|(seat, _)| may_speak(seat))
        {
            return (seat, SpeakerRule::AskedByName, Values::default().with("sentence", sentence));
        }
        let last = |seat: &Seat| self.state.table().last_spoke.get(seat).copied().unwrap_or(0);
        let seat = dialogue.joined.keys().copied().min_by_key(|seat| (last(seat), *seat));
        (seat.unwrap_or(dialogue.partner), SpeakerRule::InDialogue, Values::default())
    }

    /// A dialogue that has had as many answers as it may have is over.
    pub(crate) fn end_dialogue_at_its_limit(&mut self) {
        let most = self.state.setup().limits.dialogue_exchanges_max;
        if self.state.dialogue().is_some_and(|dialogue| dialogue.exchanges >= most) {
            self.end_dialogue(DialogueEnd::ExchangeLimit);
        }
    }

    /// The dialogue being held, if any, is over.
    pub(crate) fn end_dialogue(&mut self, why: DialogueEnd) {
        let Some(dialogue) = self.state.dialogue() else { return };
        let (npc, exchanges, dialogue) = (dialogue.npc.clone(), dialogue.exchanges, dialogue.number);
        self.emit(DialogueEnded { dialogue, npc, why, exchanges });
    }

    /// Feelings whose time is over.
    pub(crate) fn expire_feelings(&mut self) {
        let turn = self.state.turn().number;
        let over: Vec<FeelingExpired> = self
            .state
            .npcs()
            .all()
            .flat_map(|npc| {
                npc.feelings.iter().map(|(name, feeling)| (npc.id.clone(), name.clone(), feeling.until))
            })
            .filter(|(.., until)| until.is_some_and(|until| turn >= until))
            .map(|(npc, feeling, _)| FeelingExpired { npc, feeling })
            .collect();
        over.into_iter().for_each(|event| self.emit(event));
    }
}
