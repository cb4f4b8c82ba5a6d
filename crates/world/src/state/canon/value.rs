//! How values and keys are written, and which value is the default.

use twicetold_event::{
    Archetype, CallId, CombatOutcome, Fate, Missing, NpcRole, NpcStatus, Phase, Provenance, Seat, Section,
    Text, Values,
};
use twicetold_model::Digest;

use super::{Canon, Lines, number, quoted};
use crate::state::{NpcKind, Origin};

/// What tells the elements of a collection apart.
pub(in crate::state) trait Key {
    fn write(&self, out: &mut String);
}

/// Values of one line: their type, the default if there is one, and how they are written.
macro_rules! values {
    ($($type:ty, $default:expr, |$value:ident, $out:ident| $write:expr;)*) => {$(
        impl Canon for $type {
            fn lines(&self, out: &mut Lines) {
                let $value = self;
                out.value($default, |$out| $write);
            }

            fn element(&self, out: &mut Lines) {
                let $value = self;
                out.value(None, |$out| $write);
            }

            #[cfg(test)]
            fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
                let default: Option<&str> = $default;
                all.push(match default.filter(|_| !is_element) {
                    Some(default) => format!("{path} = {default}"),
                    None => path.to_owned(),
                });
            }
        }
    )*};
}

values! {
    u8, Some("0"), |value, out| number(value, out);
    u16, Some("0"), |value, out| number(value, out);
    u32, Some("0"), |value, out| number(value, out);
    u64, Some("0"), |value, out| number(value, out);
    usize, Some("0"), |value, out| number(value, out);
    i32, Some("0"), |value, out| number(value, out);
    i64, Some("0"), |value, out| number(value, out);
    CallId, Some("0"), |value, out| number(value.0, out);
    bool, Some("false"), |value, out| out.push_str(if *value { "true" } else { "false" });
    String, Some("\"\""), |value, out| quoted(value, out);
    Digest, None, |value, out| number(value, out);
    Seat, None, |value, out| value.write(out);
    Values, Some(""), |value, out| for (place, (name, value)) in value.0.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { " " });
        out.extend([name, "="]);
        quoted(value, out);
    };
    Missing, None, |value, out| match value {
        Missing::Character(seat) => {
            out.push_str("character ");
            seat.write(out);
        }
        Missing::Silent(seat) => {
            out.push_str("silent ");
            seat.write(out);
        }
        Missing::Scenario => out.push_str("scenario"),
        Missing::PartyDocument => out.push_str("party-document"),
    };
    Text, None, |value, out| match value {
        Text::Reply { call, start, end } => number(format_args!("reply {} {start}..{end}", call.0), out),
        Text::Written(text) => quoted(text, out),
    };
    Provenance, None, |value, out| match value {
        Provenance::Reply(call) => number(format_args!("reply {}", call.0), out),
        Provenance::Charter => out.push_str("charter"),
        Provenance::Derived => out.push_str("derived"),
        Provenance::Pregenerated => out.push_str("pregenerated"),
        Provenance::Tool(call) => number(format_args!("tool {}", call.0), out),
        Provenance::Carried => out.push_str("carried"),
    };
    Phase, Some("pitch"), |value, out| out.push_str(match value {
        Phase::Pitch => "pitch",
        Phase::Converge => "converge",
        Phase::Lock => "lock",
        Phase::Play => "play",
    });
    NpcKind, Some("campaign"), |value, out| out.push_str(match value {
        NpcKind::Campaign => "campaign",
        NpcKind::Created => "created",
        NpcKind::Supporting => "supporting",
    });
    NpcStatus, Some("active"), |value, out| out.push_str(match value {
        NpcStatus::Active => "active",
        NpcStatus::Dead => "dead",
        NpcStatus::Departed => "departed",
    });
    NpcRole, None, |value, out| out.push_str(match value {
        NpcRole::Ally => "ally",
        NpcRole::Rival => "rival",
        NpcRole::Neutral => "neutral",
        NpcRole::Informant => "informant",
        NpcRole::Merchant => "merchant",
        NpcRole::QuestGiver => "quest-giver",
    });
    Archetype, None, |value, out| out.push_str(match value {
        Archetype::Companion => "companion",
        Archetype::Townsperson => "townsperson",
        Archetype::Foe => "foe",
        Archetype::LoveInterest => "love-interest",
    });
    Fate, None, |value, out| out.push_str(value.name());
    CombatOutcome, None, |value, out| out.push_str(match value {
        CombatOutcome::Victory => "victory",
        CombatOutcome::Defeat => "defeat",
        CombatOutcome::FoesFled => "foes-fled",
        CombatOutcome::PartyFled => "party-fled",
        CombatOutcome::Truce => "truce",
        CombatOutcome::BrokenOff => "broken-off",
    });
}

/// A resumed telling has other numbers and the same state: where something comes from has no line.
impl Canon for Origin {
    fn lines(&self, _: &mut Lines) {}

    #[cfg(test)]
    fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
        if is_element {
            all.push(path.to_owned());
        }
    }
}

impl<T: Canon> Canon for (Origin, T) {
    fn lines(&self, out: &mut Lines) {
        self.1.lines(out);
    }

    fn element(&self, out: &mut Lines) {
        self.1.element(out);
    }

    #[cfg(test)]
    fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
        T::paths(path, is_element, all);
    }
}

impl<K: Key> Key for &K {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }
}

impl Key for usize {
    fn write(&self, out: &mut String) {
        number(self, out);
    }
}

impl Key for u8 {
    fn write(&self, out: &mut String) {
        number(self, out);
    }
}

impl Key for String {
    fn write(&self, out: &mut String) {
        quoted(self, out);
    }
}

impl Key for (String, String) {
    fn write(&self, out: &mut String) {
        quoted(&self.0, out);
        out.push(',');
        quoted(&self.1, out);
    }
}

impl Key for Seat {
    fn write(&self, out: &mut String) {
        match self {
            Seat::Dm => out.push_str("dm"),
            Seat::Player(player) => number(format_args!("player-{player}"), out),
            Seat::Memory => out.push_str("memory"),
        }
    }
}

impl Key for Section {
    fn write(&self, out: &mut String) {
        out.push_str(match self {
            Section::Relationships => "relationships",
            Section::Hooks => "hooks",
            Section::Goals => "goals",
            Section::Tensions => "tensions",
            Section::Events => "events",
            Section::Secrets => "secrets",
        });
    }
}
