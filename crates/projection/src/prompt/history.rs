//! The history as a seat knows it: its own replies as its own, each tool call followed by its result; everybody else's as told.

use twicetold_event::{Audience, CallId, Channel, Event, MessageSpoken, Phase, Seat, Source, Text};
use twicetold_model::{Opaque, Role};
use twicetold_world::Remembered;

use super::events::told;
use super::quoted::quoted;
use super::{Content, View};
use crate::answers::role;
use crate::template::{Facts, Lies, Line, render};
use crate::words;

/// A call whose arguments are longer than so many texts of the greatest length is told from its beginning alone.
const TEXTS_OF_A_CALL: usize = 6;
/// Of a reply that was rejected so much is shown to its model: some paragraphs.
const REJECTED_WORDS_BYTES_MAX: usize = 2_000;

impl View<'_> {
    /// The window of the main history.
    pub(super) fn history(&mut self) {
        let state = self.state;
        let before_play = state.phase() != Phase::Play;
        let window = if before_play { &state.history().session_zero } else { &state.history().main };
        let shown: Vec<&Remembered> = window.iter().filter(|kept| self.is_told(kept)).collect();
        let limit = u64::from(state.setup().limits.session_zero_history_bytes_max);
        let shown = self.newest(&shown, if before_play { limit } else { u64::MAX });
        self.events(shown);
    }

    /// The window of the dialogue being held, as far as this seat was part of it. The character remembers earlier talks as well.
    pub(super) fn dialogue_history(&mut self) {
        let state = self.state;
        let Some(dialogue) = state.dialogue() else { return };
        let Some(npc) = state.npcs().get(&dialogue.npc) else { return };
        let joined = dialogue.joined.get(&self.seat).copied();
        let heard =
            |kept: &&Remembered| self.seat == Seat::Dm || joined.is_some_and(|from| kept.origin >= from);
        let kept = npc.history.kept.iter().filter(|kept| self.is_told(kept));
        let shown: Vec<&Remembered> = kept.filter(heard).collect();
        let shown = self.newest(&shown, u64::MAX);
        self.events(shown);
    }

    /// Was the seat not asked with it before, and is it still worth telling? What was rejected in an earlier turn only misleads.
    fn is_told(&self, kept: &Remembered) -> bool {
        let is_new = self.asking.since.is_none_or(|since| kept.origin.0 > since);
        let is_rejection = matches!(kept.event, Event::ToolRejected(_) | Event::ReplyRejected(_));
        is_new && (!is_rejection || self.is_this_turn(kept))
    }

    fn is_this_turn(&self, kept: &Remembered) -> bool {
        kept.turn == self.state.turn().number
    }

    /// The newest of these, whole messages: at most so many bytes, and no more than the seat's server reads. Later in a turn, what the first
    /// request showed stays.
    fn newest<'b>(&mut self, shown: &'b [&'b Remembered], most: u64) -> &'b [&'b Remembered] {
        if self.asking.since.is_some() {
            return shown;
        }
        let bytes: Vec<u64> = shown.iter().map(|kept| self.bytes(kept)).collect();
        let short = self.state.calls().shown.get(&self.seat).map_or(u64::MAX, |bytes| u64::from(*bytes));
        let from = left_out(&bytes, most.min(short));
        if from > 0 {
            self.out.message(Role::User);
            self.text("table.left_out", &Facts::new(Source::State, Audience::All));
        }
        self.history_bytes += bytes[from..].iter().sum::<u64>();
        &shown[from..]
    }

    fn bytes(&self, kept: &Remembered) -> u64 {
        match &kept.event {
            Event::MessageSpoken(word) => words(self.replies, &word.text).len() as u64,
            _ => 80,
        }
    }

    fn events(&mut self, shown: &[&Remembered]) {
        let ordered = self.asking.since.map(|_| self.own_first(shown));
        let shown = ordered.as_deref().unwrap_or(shown);
        let mut place = 0;
        while let Some(kept) = shown.get(place) {
            if let Some(call) = self.own_reply(kept) {
                place = self.own(shown, place, call);
            } else {
                self.told(kept);
                place += 1;
            }
        }
    }

    /// The seat's own reply before everything else: the request that goes on from another begins with the reply to that. Words of others in
    /// between would belong to what was asked before, for vendors who know two roles that take turns.
    fn own_first<'b>(&self, shown: &[&'b Remembered]) -> Vec<&'b Remembered> {
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        // How many of the next events are what a call of the reply did.
        let mut effects = 0;
        for kept in shown {
            if let Event::ToolAccepted(word) = &kept.event {
                effects = usize::from(word.effects) + 1;
            }
            let is_own = self.own_reply(kept).is_some() || effects > 0;
            effects = effects.saturating_sub(1);
            if is_own { own.push(*kept) } else { rest.push(*kept) }
        }
        own.append(&mut rest);
        own
    }

    /// The reply that an event belongs to, when it is one of this seat's own.
    fn own_reply(&self, kept: &Remembered) -> Option<CallId> {
        match &kept.event {
            Event::MessageSpoken(MessageSpoken { seat, text: Text::Reply { call, .. }, .. })
                if *seat == self.seat =>
            {
                Some(*call)
            }
            Event::ToolAccepted(word) => (kept.seat == Some(self.seat)).then_some(word.call),
            Event::ToolRejected(word) => (kept.seat == Some(self.seat)).then_some(word.call),
            Event::ReplyRejected(word) => (kept.seat == Some(self.seat)).then_some(word.call),
            _ => None,
        }
    }

    /// One reply of this seat's own, from `place` on: words, calls, then each call's result. Returns the place after it. What was
    /// thought stands where it stood, as long as the turn lasts in which the seat was asked for it.
    fn own(&mut self, shown: &[&Remembered], mut place: usize, call: CallId) -> usize {
        let tells_calls = self.tells_calls();
        if !tells_calls || !matches!(shown[place].event, Event::ToolAccepted(_) | Event::ToolRejected(_)) {
            self.out.new_message(Role::Assistant);
        }
        let mut results: Vec<(u32, Vec<&Remembered>)> = Vec::new();
        self.blocks(call, |block| block.place == 0);
        while let Some(kept) = shown.get(place) {
            match &kept.event {
                Event::MessageSpoken(word) if self.own_reply(kept) == Some(call) => {
                    let text = words(self.replies, &word.text);
                    let content = content(&word.text);
                    self.out.text(text, content, Source::Event(kept.origin.0), &word.audience);
                }
                Event::ToolAccepted(word) if word.call == call => {
                    self.call(call, word.index, kept.tool_id);
                    let end = (place + 1 + usize::from(word.effects)).min(shown.len());
                    results.push((kept.tool_id, shown[place..end].to_vec()));
                    place = end - 1;
                }
                Event::ToolRejected(word) if word.call == call => {
                    self.call(call, word.index, kept.tool_id);
                    results.push((kept.tool_id, vec![kept]));
                }
                Event::ReplyRejected(word) if word.call == call => {
                    self.rejected_words(call, kept);
                    self.last_blocks(call);
                    self.told(kept);
                }
                _ => break,
            }
            place += 1;
        }
        if !shown[place..].iter().any(|kept| self.own_reply(kept) == Some(call)) {
            self.last_blocks(call);
        }
        for (id, events) in results {
            match tells_calls {
                true => self.out.message(Role::User),
                false => self.out.tool_result(id),
            }
            self.result(&events);
            if tells_calls {
                let last = events.last().map_or(Source::State, |kept| Source::Event(kept.origin.0));
                self.out.written("\n\n".into(), last, &Audience::Seats([self.seat].into()));
            }
        }
        place
    }

    /// Are the seat's calls told as what they did? Not in the turn in which it was asked for them: what was thought goes back with them.
    fn tells_calls(&self) -> bool {
        self.asking.tells_calls && self.asking.since.is_none()
    }

    /// Those blocks of a reply that are not told yet and belong here, if it was given in this turn.
    fn blocks(&mut self, call: CallId, belongs: impl Fn(&Opaque) -> bool) {
        let Some(reply) = self.asking.since.and_then(|_| self.replies.reply(call)) else { return };
        let protocol = self.state.setup().seats.of(self.seat).map_or("", |model| model.protocol.as_str());
        let told = if self.blocks.0 == call { self.blocks.1 } else { 0 };
        for (index, block) in reply.opaque.iter().enumerate().skip(told) {
            if let (true, Ok(number)) = (belongs(block), u16::try_from(index)) {
                self.out.opaque(call, number, protocol, &block.json);
                self.blocks = (call, index + 1);
            }
        }
    }

    /// Those behind all that was said. What stood before a call that is not told is left out with it.
    fn last_blocks(&mut self, call: CallId) {
        let calls = self.replies.reply(call).map_or(0, |reply| reply.tool_calls.len());
        self.blocks(call, |block| usize::from(block.place) > calls);
    }

    /// The beginning of a reply that could not be used, as far as it has words: a model that sees them can do better.
    fn rejected_words(&mut self, call: CallId, kept: &Remembered) {
        let text = self.replies.reply(call).map_or("", |reply| reply.text.as_str());
        let shown = &text[..text.floor_char_boundary(REJECTED_WORDS_BYTES_MAX)];
        let own = Audience::Seats([self.seat].into());
        let source = Source::Event(kept.origin.0);
        match shown.trim() {
            "" => self.text("table.no_words", &Facts::new(source, own)),
            _ => self.out.text(shown, Content::Reply(call, 0), source, &own),
        }
    }

    fn call(&mut self, call: CallId, index: u16, id: u32) {
        if self.tells_calls() {
            return;
        }
        self.blocks(call, |block| block.place == index.saturating_add(1));
        let found = self.replies.reply(call).and_then(|reply| reply.tool_calls.get(usize::from(index)));
        let (name, arguments) = found.map_or(("", ""), |call| (call.name.as_str(), call.arguments.as_str()));
        // What is longer was rejected for it: its model need not read all of it again.
        let most = TEXTS_OF_A_CALL * self.state.setup().limits.argument_bytes_max as usize;
        let arguments = &arguments[..arguments.floor_char_boundary(most)];
        self.out.tool_call(call, index, id, name, arguments);
    }

    /// What a tool answers: rendered from the events that were accepted, or from the rejection.
    fn result(&mut self, events: &[&Remembered]) {
        let most = self.state.setup().limits.old_result_bytes_max as usize;
        for (place, kept) in events.iter().enumerate() {
            let source = Source::Event(kept.origin.0);
            // A result is its caller's own; the events behind it may be the DM's alone.
            let own = Audience::Seats([self.seat].into());
            let facts = Facts::new(source, own.clone());
            let told = match &kept.event {
                Event::ToolRejected(word) => {
                    let facts = facts.say("rule", &word.rule);
                    Some(("tool.rejected", facts.text("reason", "rejected", &word.rule, &word.values)))
                }
                Event::ToolAccepted(_) if events.len() == 1 => Some(("tool.done", facts)),
                Event::ToolAccepted(_) => None,
                event => told(&self.teller(), event, source, own.clone()),
            };
            let Some((key, facts)) = told else { continue };
            let mut lines = render(self.texts, key, &facts);
            if !self.tells_calls() && is_in_its_call(&kept.event) {
                lines = render(
                    self.texts,
                    "tool.recorded",
                    &Facts::new(source, own.clone()).lines("effect", lines),
                );
            }
            if !self.is_this_turn(kept) && self.cut(&mut lines, most) {
                lines.extend(render(self.texts, "tool.cut", &facts.fresh()));
            }
            self.lines(lines);
            if place + 1 < events.len() {
                self.out.written("\n".into(), source, &own);
            }
        }
    }

    /// Leaves out what goes beyond so many bytes; true when that was something.
    fn cut(&self, lines: &mut Vec<Line>, most: usize) -> bool {
        let mut room = most;
        let kept = lines.iter().take_while(|line| {
            let fits = line.text.len() <= room;
            room -= if fits { line.text.len() } else { 0 };
            fits
        });
        let kept = kept.count();
        let Some(last) = lines.get_mut(kept) else { return false };
        last.text.truncate(last.text.floor_char_boundary(room));
        lines.truncate(kept + 1);
        true
    }

    /// What somebody else said or did.
    pub(super) fn told(&mut self, kept: &Remembered) {
        let audience = kept.event.audience();
        if !audience.includes(self.seat) {
            return;
        }
        let source = Source::Event(kept.origin.0);
        match &kept.event {
            Event::MessageSpoken(word) => {
                self.out.message(Role::User);
                let facts = self.said(word, source).say_some("label", self.label(kept));
                self.text("history.speech", &facts);
            }
            // What a tool call did follows as events of its own; that it was rejected is its caller's affair.
            Event::ToolAccepted(_) | Event::ToolRejected(_) | Event::NudgeGiven(_) => {}
            Event::ReplyRejected(_) if kept.seat != Some(self.seat) => {}
            Event::RulesLookedUp(_)
            | Event::RulesSearched(_)
            | Event::MemoryQueried(_)
            | Event::CampaignQueried(_) => {}
            event => {
                if let Some((key, facts)) = told(&self.teller(), event, source, audience.clone()) {
                    self.out.message(Role::User);
                    if let Some(label) = self.label(kept) {
                        let own = Audience::Seats([self.seat].into());
                        self.text("history.label", &Facts::new(source, own).say("label", label));
                    }
                    self.text(key, &facts);
                    self.out.written("\n\n".into(), source, &audience);
                }
            }
        }
    }

    /// Somebody's words, for the text `history.speech`.
    pub(super) fn said(&self, word: &MessageSpoken, source: Source) -> Facts {
        let lies = match &word.text {
            Text::Reply { call, start, .. } => Lies::Reply(*call, *start),
            Text::Written(_) => Lies::Here,
        };
        let text = words(self.replies, &word.text).to_owned();
        let said = Line { text, lies, source, audience: word.audience.clone() };
        Facts::new(source, word.audience.clone())
            .say("speaker", self.speaker(word))
            .flag("whispers", matches!(word.channel, Channel::Whisper(..)))
            .lines("text", quoted(said, self.reading))
    }

    /// What the DM can cite it by, as narrator.
    fn label(&self, kept: &Remembered) -> Option<u32> {
        let is_guided = self.state.setup().seats.of(self.seat).is_some_and(|model| model.is_guided());
        // A small model would only repeat it; it is shown what it can cite when it is asked to.
        if self.seat != Seat::Dm || self.companion.is_some() || is_guided {
            return None;
        }
        self.state.encounter()?.label(kept.origin)
    }

    /// Who is heard: in a dialogue the DM's voice is the character's.
    pub(super) fn speaker(&self, word: &MessageSpoken) -> String {
        match &word.channel {
            Channel::Dialogue(npc) if word.seat == Seat::Dm => {
                self.state.npcs().get(npc).map_or_else(|| npc.clone(), |npc| npc.name.clone())
            }
            // What was said stays as it stands when the speaker has a character at last.
            Channel::SessionZero => self.reading.seat(word.seat),
            _ => self.seat_name(word.seat),
        }
    }

    /// A dialogue that is to be summed up: what was said in it.
    pub(super) fn summarised_dialogue(&mut self, number: u32) {
        let state = self.state;
        let held = state
            .npcs()
            .all()
            .find_map(|npc| npc.dialogues.iter().find(|past| past.number == number).map(|past| (npc, past)));
        let Some((npc, past)) = held else { return };
        let facts = Facts::new(Source::Event(past.origin.0), Audience::All);
        let company = past.seats.iter().map(|seat| facts.fresh().say("name", self.seat_name(*seat)));
        let facts = facts.fresh().say("npc", &npc.name).list("company", company.collect());
        self.text("history.dialogue", &facts);
        let began =
            npc.history.kept.iter().rev().filter(|kept| matches!(kept.event, Event::DialogueEnded(_)));
        // What was said since the dialogue before this one ended.
        let since = began.skip(1).map(|kept| kept.origin).next().unwrap_or_default();
        let spoken = npc.history.kept.iter().filter(|kept| kept.origin > since);
        for kept in
            spoken.filter(|kept| matches!(kept.event, Event::MessageSpoken(_) | Event::ItemExchanged(_)))
        {
            self.told(kept);
        }
        self.text("history.dialogue_end", &facts);
    }

    /// A character whose profile is asked for.
    pub(super) fn profiled(&mut self, place: u32) {
        let Some(npc) = self.state.npcs().at(place) else { return };
        let facts = Facts::new(Source::Event(npc.entered.0), Audience::Seats([self.seat].into()))
            .say("name", &npc.name)
            .say("place", &npc.location)
            .say("about", &npc.persona);
        self.text("history.character", &role(facts, npc));
    }

    /// The messages that a summary is asked of, after the summary so far.
    pub(super) fn summarised(&mut self, from: u32, to: u32) {
        let before = self.filled("story_so_far");
        let facts = Facts::new(Source::State, Audience::All);
        if !before.is_empty() {
            self.text("history.story_so_far", &facts.fresh().lines("text", before));
        }
        self.text("history.passage", &facts);
        let state = self.state;
        for kept in state.history().main.iter().filter(|kept| (from..to).contains(&kept.message)) {
            self.told(kept);
        }
        self.text("history.passage_end", &facts);
    }
}

/// How many of the oldest events are left out, so that the others take `most` bytes at most. Half as many bytes go at once: what a
/// server has read stays the same until the next block goes.
pub(super) fn left_out(bytes: &[u64], most: u64) -> usize {
    let all: u64 = bytes.iter().sum();
    let after = |least: u64| {
        let sums = bytes.iter().scan(0, |sum, bytes| Some(std::mem::replace(sum, *sum + bytes)));
        sums.take_while(|sum| *sum < least).count()
    };
    let block = (most / 2).max(1);
    let beyond = all.saturating_sub(most);
    match after(beyond.div_ceil(block) * block) {
        // A block must not take what still fits.
        all if all == bytes.len() => after(beyond),
        some => some,
    }
}

/// Does the call that it came of say all of it, in the same words?
fn is_in_its_call(event: &Event) -> bool {
    matches!(
        event,
        Event::LocationChanged(_)
            | Event::TimeOfDayChanged(_)
            | Event::SceneChanged(_)
            | Event::ObjectiveSet(_)
            | Event::FlagSet(_)
            | Event::FlagDeleted(_)
            | Event::NotableEventRecorded(_)
            | Event::ImportantEventRecorded(_)
            | Event::MilestoneReached(_)
            | Event::QuestAdded(_)
            | Event::QuestCompleted(_)
            | Event::PartyDocumentUpdated(_)
    )
}

fn content(text: &Text) -> Content {
    match text {
        Text::Reply { call, start, .. } => Content::Reply(*call, *start),
        Text::Written(words) => Content::Written(words.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::left_out;

    #[test]
    fn the_oldest_events_are_left_out_in_blocks_and_what_fits_stays() {
        assert_eq!(left_out(&[], 10), 0);
        assert_eq!(left_out(&[5, 5], 10), 0);
        // Half of ten bytes at once: the next two events change nothing.
        let twos = |count| left_out(&vec![2; count], 10);
        assert_eq!([5, 6, 7, 8, 9, 10, 11].map(twos), [0, 3, 3, 5, 5, 5, 8]);
        assert_eq!(left_out(&[1, 9], 9), 1, "the last one fits");
        assert_eq!(left_out(&[1, 11], 10), 2, "and here it does not");
        for (count, most) in [(3, 7), (20, 50), (40, 33), (64, 1)] {
            let bytes: Vec<u64> = (0..count).map(|place| place * 7 % 13).collect();
            let from = left_out(&bytes, most);
            assert!(bytes[from..].iter().sum::<u64>() <= most, "{count} events, {most}");
            assert!(from < bytes.len() || bytes.last() > Some(&most), "{count} events, {most}: {from}");
        }
    }
}
