//! The history as a seat knows it: its own replies as its own, each tool call followed by its result; everybody else's as told.

use twicetold_event::{Audience, CallId, Channel, Event, MessageSpoken, Phase, Seat, Source, Text};
use twicetold_model::Role;
use twicetold_world::Remembered;

use super::events::told;
use super::{Content, View};
use crate::answers::role;
use crate::template::{Facts, Lies, Line, render};
use crate::words;

impl View<'_> {
    /// The window of the main history: before the turn being played, or only that turn.
    pub(super) fn history(&mut self, this_turn: bool) {
        let state = self.state;
        let before_play = state.phase() != Phase::Play;
        let window = if before_play { &state.history().session_zero } else { &state.history().main };
        let turn = state.turn().number;
        let shown: Vec<&Remembered> = window.iter().filter(|kept| (kept.turn == turn) == this_turn).collect();
        let shown = if before_play && !this_turn { self.newest(&shown) } else { &shown };
        self.events(shown, this_turn);
    }

    /// The window of the dialogue being held, as far as this seat was part of it. The character remembers earlier talks as well.
    pub(super) fn dialogue_history(&mut self, this_turn: bool) {
        let state = self.state;
        let Some(dialogue) = state.dialogue() else { return };
        let Some(npc) = state.npcs().get(&dialogue.npc) else { return };
        let turn = state.turn().number;
        let kept = npc.history.kept.iter().filter(|kept| (kept.turn == turn) == this_turn);
        let joined = dialogue.joined.get(&self.seat).copied();
        let heard =
            |kept: &&Remembered| self.seat == Seat::Dm || joined.is_some_and(|from| kept.origin >= from);
        let shown: Vec<&Remembered> = kept.filter(heard).collect();
        self.events(&shown, this_turn);
    }

    /// As much of Session Zero as its limit allows, whole messages, the newest ones.
    fn newest<'b>(&mut self, shown: &'b [&'b Remembered]) -> &'b [&'b Remembered] {
        let most = u64::from(self.state.setup().limits.session_zero_history_bytes_max);
        let mut bytes = 0;
        let mut from = shown.len();
        for (place, kept) in shown.iter().enumerate().rev() {
            bytes += match &kept.event {
                Event::MessageSpoken(word) => words(self.replies, &word.text).len() as u64,
                _ => 80,
            };
            if bytes > most {
                break;
            }
            from = place;
        }
        if from > 0 {
            self.out.message(Role::User);
            self.text("table.left_out", &Facts::new(Source::State, Audience::All));
        }
        &shown[from..]
    }

    fn events(&mut self, shown: &[&Remembered], this_turn: bool) {
        let mut place = 0;
        while let Some(kept) = shown.get(place) {
            if let Some(call) = self.own_reply(kept) {
                place = self.own(shown, place, call, this_turn);
            } else {
                self.told(kept);
                place += 1;
            }
        }
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
            _ => None,
        }
    }

    /// One reply of this seat's own, from `place` on: words, calls, then each call's result. Returns the place after it.
    fn own(&mut self, shown: &[&Remembered], mut place: usize, call: CallId, this_turn: bool) -> usize {
        self.out.new_message(Role::Assistant);
        let mut results: Vec<(u32, Vec<&Remembered>)> = Vec::new();
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
                _ => break,
            }
            place += 1;
        }
        for (id, events) in results {
            self.result(id, &events, this_turn);
        }
        place
    }

    fn call(&mut self, call: CallId, index: u16, id: u32) {
        let found = self.replies.reply(call).and_then(|reply| reply.tool_calls.get(usize::from(index)));
        let (name, arguments) = found.map_or(("", ""), |call| (call.name.as_str(), call.arguments.as_str()));
        self.out.tool_call(call, index, id, name, arguments);
    }

    /// What a tool answers: rendered from the events that were accepted, or from the rejection.
    fn result(&mut self, id: u32, events: &[&Remembered], this_turn: bool) {
        self.out.tool_result(id);
        let most = self.state.setup().limits.old_result_bytes_max as usize;
        for (place, kept) in events.iter().enumerate() {
            let source = Source::Event(kept.origin.0);
            // A result is its caller's own; the events behind it may be the DM's alone.
            let own = Audience::Seats(vec![self.seat]);
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
            if !this_turn && self.cut(&mut lines, most) {
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
                let text = words(self.replies, &word.text);
                self.out.message(Role::User);
                let lies = match &word.text {
                    Text::Reply { call, start, .. } => Lies::Reply(*call, *start),
                    Text::Written(_) => Lies::Here,
                };
                let said = Line { text: text.to_owned(), lies, source, audience: audience.clone() };
                let facts = Facts::new(source, audience)
                    .say("speaker", self.speaker(word))
                    .flag("whispers", matches!(word.channel, Channel::Whisper(..)))
                    .lines("text", vec![said]);
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
                    self.text(key, &facts);
                    self.out.written("\n\n".into(), source, &audience);
                }
            }
        }
    }

    /// Who is heard: in a dialogue the DM's voice is the character's.
    fn speaker(&self, word: &MessageSpoken) -> String {
        match &word.channel {
            Channel::Dialogue(npc) if word.seat == Seat::Dm => {
                self.state.npcs().get(npc).map_or_else(|| npc.clone(), |npc| npc.name.clone())
            }
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
        let facts = Facts::new(Source::Event(npc.entered.0), Audience::Seats(vec![self.seat]))
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

fn content(text: &Text) -> Content {
    match text {
        Text::Reply { call, start, .. } => Content::Reply(*call, *start),
        Text::Written(words) => Content::Written(words.clone()),
    }
}
