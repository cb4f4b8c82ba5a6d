//! A reply: is it owed, what of it is spoken, which of its tool calls are let through, what follows.

use std::ops::Range;

use twicetold_event::*;
use twicetold_model::{Reply, ToolCall};
use twicetold_projection::Replies;
use twicetold_tool::{Caller, Follow, Rejection, fingerprint};
use twicetold_world::Owed;

use crate::artefacts::artefacts;
use crate::{Campaign, speech};

impl Campaign {
    /// The reply to an owed call came.
    pub(crate) fn replied(&mut self, owed: &Owed, call: CallId) {
        let reply = self.replies.reply(call).cloned();
        match owed.purpose {
            Purpose::Summary { to, .. } => return self.summarised(call, to, reply.as_ref()),
            Purpose::DialogueSummary { .. } => return self.dialogue_summarised(call, reply.as_ref()),
            Purpose::Profile { .. } => return self.profiled(call, reply.as_ref()),
            Purpose::SessionZero | Purpose::Play | Purpose::Dialogue => {}
        }
        let Some(reply) = reply else {
            self.reject(call, "unreadable_reply");
            return;
        };
        if reply.text.trim().is_empty() && reply.tool_calls.is_empty() {
            self.reject(call, "empty_reply");
            return;
        }
        let seat = owed.seat;
        let spoke = self.speak(seat, call, &reply);
        if !spoke && reply.tool_calls.is_empty() {
            self.reject(call, "spoke_for_another");
            return;
        }
        let ended =
            self.state.phase() != Phase::Play && spoke && self.session_zero_closed(seat, call, &reply);
        let follow = if ended { None } else { self.tool_calls(seat, call, &reply.tool_calls) };
        match follow {
            Some(Follow::Continues)
                if self.state.turn().rounds < self.state.setup().limits.tool_rounds_max =>
            {
                self.ask_again();
            }
            Some(Follow::Continues) => self.end_turn(TurnEnd::RoundLimit),
            Some(Follow::Ends) => self.end_turn(TurnEnd::Tool),
            None => self.end_turn(TurnEnd::Spoken),
        }
    }

    /// A reply that cannot be used is charged; after too many the turn is over.
    fn reject(&mut self, call: CallId, rule: &str) {
        self.emit(ReplyRejected { call, rule: rule.into(), values: Values::default() });
        let limits = &self.state.setup().limits;
        let turn = self.state.turn();
        if turn.unusable > limits.unusable_replies_max || turn.rounds >= limits.tool_rounds_max {
            self.end_turn(TurnEnd::Unusable);
        } else {
            self.ask_again();
        }
    }

    /// What of the reply's words is the seat's own is spoken; true when something was.
    fn speak(&mut self, seat: Seat, call: CallId, reply: &Reply) -> bool {
        let speech = speech::read(&self.state, seat, &reply.text);
        let spoken = !speech.spoken.is_empty();
        if spoken {
            let (channel, audience) = self.channel();
            for (range, private) in self.passages(&reply.text, speech.spoken) {
                let text = Text::Reply { call, start: range.start as u32, end: range.end as u32 };
                let (channel, audience) = (channel.clone(), audience.clone());
                let audience = if private { Event::secret_audience(seat) } else { audience };
                self.emit(MessageSpoken { seat, channel, audience, text });
            }
        }
        if let Some((rule, at, values)) = speech.cut {
            self.emit(SpeechCut { seat, call, rule, at: at as u32, values });
        }
        spoken
    }

    /// The passages of a message, and whether they are between the seat and the DM: sheets and other artefacts hold secrets.
    fn passages(&self, text: &str, spoken: Range<usize>) -> Vec<(Range<usize>, bool)> {
        let found = artefacts(&text[spoken.clone()]).filter(|_| self.state.phase() != Phase::Play);
        let Some(found) = found else { return vec![(spoken, false)] };
        let found = spoken.start + found.start..spoken.start + found.end;
        let parts =
            [(spoken.start..found.start, false), (found.clone(), true), (found.end..spoken.end, false)];
        parts.into_iter().filter(|(range, _)| !text[range.clone()].trim().is_empty()).collect()
    }

    /// Where words are spoken now, and who hears them.
    fn channel(&self) -> (Channel, Audience) {
        match (self.state.phase(), self.state.dialogue()) {
            (Phase::Play, Some(dialogue)) => {
                let audience = Event::dialogue_audience(dialogue.joined.keys().copied());
                (Channel::Dialogue(dialogue.npc.clone()), audience)
            }
            (Phase::Play, None) => (Channel::Main, Audience::All),
            _ => (Channel::SessionZero, Audience::All),
        }
    }

    /// Takes in what a message of Session Zero brings; true when it closed a phase, so that nothing of the reply is left to do.
    fn session_zero_closed(&mut self, seat: Seat, call: CallId, reply: &Reply) -> bool {
        let phase = self.state.phase();
        let speech = speech::read(&self.state, seat, &reply.text);
        self.session_zero_message(seat, call, reply, speech.spoken);
        self.state.phase() != phase
    }

    /// Decides every tool call of a reply, in order. What follows is the strictest of what they ask for.
    fn tool_calls(&mut self, seat: Seat, call: CallId, calls: &[ToolCall]) -> Option<Follow> {
        let mut follow = None;
        for (index, tool_call) in calls.iter().enumerate() {
            let index = u16::try_from(index).unwrap_or(u16::MAX);
            if u32::from(index) > self.state.setup().limits.tool_calls_per_reply_max {
                // One rejection says it; a thousand would only repeat it.
                break;
            }
            let ends = self.tool_call(seat, call, index, tool_call);
            follow = match (follow, ends) {
                (Some(Follow::Ends), _) | (_, Follow::Ends) => Some(Follow::Ends),
                _ => Some(Follow::Continues),
            };
        }
        follow
    }

    fn tool_call(&mut self, seat: Seat, call: CallId, index: u16, tool_call: &ToolCall) -> Follow {
        let fingerprint = fingerprint(&tool_call.name, &tool_call.arguments);
        match self.decide_tool(seat, call, index, tool_call, fingerprint) {
            Ok((follow, accepted)) => {
                let effects = accepted.events.len() as u16;
                let tool = tool_call.name.clone();
                self.emit(ToolAccepted { call, index, tool, fingerprint, checks: accepted.checks, effects });
                accepted.events.into_iter().for_each(|event| self.emit(event));
                follow
            }
            Err(rejection) => {
                let name = &tool_call.name;
                self.emit(ToolRejected {
                    call,
                    index,
                    tool: name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)].to_owned(),
                    fingerprint,
                    rule: rejection.rule.into(),
                    values: rejection.values,
                });
                Follow::Continues
            }
        }
    }

    fn decide_tool(
        &self,
        seat: Seat,
        call: CallId,
        index: u16,
        tool_call: &ToolCall,
        fingerprint: u64,
    ) -> Result<(Follow, twicetold_tool::Accepted), Rejection> {
        let most = self.state.setup().limits.tool_calls_per_reply_max;
        if u32::from(index) >= most {
            return Err(Rejection::new("tool_calls_per_reply_max").with("most", most));
        }
        let mut offered = self.tools.iter().filter(|tool| tool.tool.is_offered(&self.state, seat));
        let Some(tool) = offered.find(|tool| tool.spec.name == tool_call.name) else {
            return Err(self.not_offered(seat, &tool_call.name));
        };
        let earlier = self.state.turn().tools.iter().find(|(known, _)| *known == fingerprint);
        if let Some((_, accepted)) = earlier.filter(|_| !self.adds_up(call, tool.tool, fingerprint)) {
            return Err(Rejection::new("repeated_call").flag("accepted", *accepted));
        }
        let accepted = tool.tool.decide(&self.state, Caller { seat, call }, &tool_call.arguments)?;
        Ok((tool.tool.follow, accepted))
    }

    /// Is a call of this reply that was accepted already meant once more? In a later reply it would be a model that loops.
    fn adds_up(&self, call: CallId, tool: &twicetold_tool::Tool, fingerprint: u64) -> bool {
        let is_same = |event: &Event| matches!(event, Event::ToolAccepted(word) if word.call == call && word.fingerprint == fingerprint);
        let here = self.step.events.iter().any(is_same);
        here && tool.adds_up
    }

    fn not_offered(&self, seat: Seat, name: &str) -> Rejection {
        let offered = self.tools.iter().filter(|tool| tool.tool.is_offered(&self.state, seat));
        let offered: Vec<&str> = offered.map(|tool| tool.tool.name).collect();
        let shown = &name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)];
        // A tool that the campaign's charter does not have is none of its tools, whatever this build knows.
        let known = self.tools.iter().any(|tool| tool.spec.name == name);
        let rule = if known { "not_offered" } else { "unknown_tool" };
        let mode = match (self.state.dialogue(), self.state.combat()) {
            (Some(_), _) => "dialogue",
            (_, Some(_)) => "combat",
            _ => self.state.phase().name(),
        };
        let rejection = Rejection::new(rule).quoting("tool", shown, TOOL_NAME_BYTES_MAX);
        rejection.with("seat", seat).with("mode", mode).with("offered", offered.join(", "))
    }
}

/// Of a tool's name as a model wrote it, this much is kept.
const TOOL_NAME_BYTES_MAX: usize = 64;
