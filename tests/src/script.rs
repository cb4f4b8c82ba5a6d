//! A play with some of its lines written beforehand: who says and calls what, in order; everything else is small talk.

use std::collections::VecDeque;

use twicetold_event::{Event, Seat, ToolRejected};
use twicetold_improv::improvise;

use crate::{Game, Played, reply_body};

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The DM as narrator.
    Dm,
    /// The DM as a character who is spoken to.
    Companion,
    /// Any player.
    Player,
    /// This player.
    Seat(u8),
    /// The memory agent.
    Memory,
}

struct Said {
    who: Who,
    text: String,
    calls: Vec<(String, String)>,
}

/// Lines of a play. Session Zero is improvised.
pub struct Script {
    game: Game,
    said: VecDeque<Said>,
}

/// A play that was played.
pub struct Performance {
    /// What came of it.
    pub played: Played,
    /// Every request of the play, in order.
    pub requests: Vec<(Who, Seat, String)>,
}

impl Script {
    /// A play of this game.
    pub fn of(game: Game) -> Script {
        Script { game, said: VecDeque::new() }
    }

    /// The next line: as soon as somebody of this kind is asked.
    pub fn line(mut self, who: Who, text: &str, calls: &[(&str, &str)]) -> Script {
        let calls = calls.iter().map(|(tool, arguments)| ((*tool).to_owned(), (*arguments).to_owned()));
        self.said.push_back(Said { who, text: text.to_owned(), calls: calls.collect() });
        self
    }

    /// Plays to the end; panics when a line was never asked for.
    pub fn play(self) -> Performance {
        let Script { game, mut said } = self;
        let mut requests = Vec::new();
        let played = game.answered(&mut |seat, body| {
            let who = who(body);
            let Some(who) = who else { return improvise(body) };
            requests.push((who, seat, body.to_owned()));
            let due = said.front().is_some_and(|line| match line.who {
                Who::Player => who == Who::Player,
                Who::Seat(number) => seat == Seat::Player(number) && who == Who::Player,
                other => other == who,
            });
            match said.pop_front_if(|_| due) {
                Some(line) => {
                    let calls: Vec<(&str, &str)> = line
                        .calls
                        .iter()
                        .map(|(tool, arguments)| (tool.as_str(), arguments.as_str()))
                        .collect();
                    reply_body(&line.text, &calls)
                }
                None => reply_body(&format!("Something happens ({}).", requests.len()), &[]),
            }
        });
        let left: Vec<String> = said.iter().map(|line| format!("{:?}: {}", line.who, line.text)).collect();
        let rejected: Vec<&ToolRejected> = played
            .events
            .iter()
            .filter_map(|event| if let Event::ToolRejected(word) = event { Some(word) } else { None })
            .collect();
        assert!(left.is_empty(), "nobody was asked for {left:?}; rejected: {rejected:#?}");
        Performance { played, requests }
    }
}

impl Performance {
    /// Every event of this kind.
    pub fn all<T>(&self, pick: impl Fn(&Event) -> Option<T>) -> Vec<T> {
        self.played.events.iter().filter_map(pick).collect()
    }

    /// Rules by which calls were rejected, in order.
    pub fn rejections(&self) -> Vec<String> {
        self.all(|event| if let Event::ToolRejected(word) = event { Some(word.rule.clone()) } else { None })
    }

    /// Bodies of requests to somebody.
    pub fn asked(&self, wanted: Who) -> impl Iterator<Item = &str> {
        let is = move |who: &Who, seat: &Seat| match wanted {
            Who::Seat(number) => *seat == Seat::Player(number),
            other => *who == other,
        };
        self.requests.iter().filter(move |(who, seat, _)| is(who, seat)).map(|(_, _, body)| body.as_str())
    }
}

/// Who is asked, in play; nobody before it.
fn who(body: &str) -> Option<Who> {
    let memory = ["phase: summary", "phase: dialogue", "phase: profile"];
    if body.contains("role: memory") && memory.iter().any(|phase| body.contains(phase)) {
        return Some(Who::Memory);
    }
    let roles = [("role: dm", Who::Dm), ("role: companion", Who::Companion), ("role: player", Who::Player)];
    let role = roles.iter().find(|(role, _)| body.contains(role)).map(|(_, who)| *who);
    role.filter(|_| body.contains("phase: play"))
}
