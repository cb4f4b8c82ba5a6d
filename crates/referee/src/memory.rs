//! The running summary: asked for at a turn's end and joined there, so that the story never depends on which model is faster.

use twicetold_event::*;
use twicetold_model::Reply;
use twicetold_projection::words;

use crate::Campaign;
use crate::session_zero::first_sentences;

impl Campaign {
    /// Asks the keeper of memory when the window is full; true when the table now waits for it.
    pub(crate) fn summarise_if_needed(&mut self) -> bool {
        let history = self.state.history();
        let limits = &self.state.setup().limits;
        let first = history.main.iter().find(|kept| matches!(kept.event, Event::MessageSpoken(_)));
        let Some(from) = first.map(|kept| kept.message) else { return false };
        let shown = history.messages.saturating_sub(from);
        if history.main_bytes <= u64::from(limits.history_bytes_max) && shown <= limits.history_messages_max {
            return false;
        }
        // The older half goes; at least one message does, and the last one stays.
        let to = from + (shown / 2).max(1);
        if to >= history.messages {
            return false;
        }
        self.request(Seat::Memory, Purpose::Summary { from, to });
        true
    }

    /// The summary came, or did not.
    pub(crate) fn summarised(&mut self, call: CallId, to: u32, reply: Option<&Reply>) {
        let from = self.state.history().summary.as_ref().map_or(0, |summary| summary.to);
        let most = self.state.setup().limits.summary_bytes_max as usize;
        let own = reply.map(|reply| {
            let start = reply.text.len() - reply.text.trim_start().len();
            let end = start + reply.text.trim().len();
            let end = reply.text.floor_char_boundary(end.min(start + most));
            Text::Reply { call, start: start as u32, end: end as u32 }
        });
        let own = own.filter(|text| matches!(text, Text::Reply { start, end, .. } if end > start));
        match own {
            Some(text) => self.emit(SummaryWritten { from, to, text, fallback: false }),
            None => self.summarise_by_rule(from, to),
        }
        self.next_turn();
    }

    /// The call for a summary was given up.
    pub(crate) fn summary_abandoned(&mut self, to: u32) {
        self.summarised(CallId::default(), to, None);
    }

    /// A summary without a model: what stands, and the first sentence of each message.
    fn summarise_by_rule(&mut self, from: u32, to: u32) {
        let most = self.state.setup().limits.summary_bytes_max as usize;
        let history = self.state.history();
        let mut parts: Vec<String> = Vec::new();
        if let Some(summary) = &history.summary {
            parts.push(first_sentences(words(&self.replies, &summary.text), most / 2));
        }
        let passage: Vec<String> = history
            .main
            .iter()
            .filter(|kept| (from..to).contains(&kept.message))
            .filter_map(|kept| match &kept.event {
                Event::MessageSpoken(word) => {
                    let name = self.state.seat_name(word.seat);
                    Some(format!("{name}: {}", first_sentences(words(&self.replies, &word.text), 120)))
                }
                _ => None,
            })
            .collect();
        parts.push(first_sentences(&passage.join(" "), most / 2));
        let text = Text::Written(parts.join(" "));
        self.emit(SummaryWritten { from, to, text, fallback: true });
    }
}
