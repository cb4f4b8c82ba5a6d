//! States of a campaign in each of its modes: what tools decide about.

use std::sync::OnceLock;

use serde_json::Value;
use twicetold_event::{CallId, HitPointsChanged, Millis, Number, Seat, ToolRejected, Values};
use twicetold_session::load_to;
use twicetold_tool::{Caller, Rejection};
use twicetold_world::setup::ItemKind;
use twicetold_world::{State, evolve};

use crate::{Game, Performance, Script, Who};

/// One campaign in each of its modes.
#[derive(Clone)]
pub struct Moments {
    /// Before play.
    pub session_zero: State,
    /// In the story, after player 1 has acted.
    pub narrative: State,
    /// The same, and Player 2 is down.
    pub somebody_down: State,
    /// Player 1 talks with Wren.
    pub dialogue: State,
    /// Everybody fights two river roughs; a character's turn.
    pub combat: State,
    /// The same, in a foe's turn.
    pub foes_turn: State,
    /// The same, in the turn of each character who has one in the first round, with whoever plays them.
    pub fighters: Vec<(State, Seat)>,
}

impl Moments {
    /// Those of a campaign that is played once for all tests of a program.
    pub fn played() -> &'static Moments {
        static PLAYED: OnceLock<Moments> = OnceLock::new();
        // Dice decide who acts first, and improvised players what they carry: the first campaign that fits is taken.
        PLAYED.get_or_init(|| (51..91).find_map(Moments::play).expect("one of so many campaigns fits"))
    }

    /// Plays a campaign and stops the clock in each mode; nothing where nobody with a weapon acts in the combat's first round.
    fn play(seed: u64) -> Option<Moments> {
        let play = Script::of(Game::new(seed))
            .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
            .line(Who::Seat(1), "I go over to Wren.", &[])
            .line(
                Who::Dm,
                "She puts the brush down.",
                &[("start_dialogue", "{\"character_id\":\"wren-pellow\"}")],
            )
            .line(Who::Companion, "Well?", &[])
            .line(Who::Companion, "Well.", &[("end_dialogue", "{}")])
            .line(
                Who::Dm,
                "Two roughs come round the corner.",
                &[("start_combat", "{\"foes\":[{\"id\":\"river-rough\",\"count\":2}]}")],
            )
            .play();
        let at = |wanted: &str, offset: u64| {
            let line = play.played.transcript.iter().find(|line| line.text.contains(wanted));
            let number = line.unwrap_or_else(|| panic!("nothing is told of {wanted:?}")).number;
            state_at(&play, number + offset)
        };
        let foe = "river-rough-";
        let foes_turn = play
            .played
            .transcript
            .iter()
            .find(|line| line.text.starts_with("[combat] Round") && line.text.contains(foe));
        let fighters = fighters(&play);
        // Whoever wins the initiative: the turn of a character who may choose between a weapon and bare hands.
        let armed = |(state, seat): &&(State, Seat)| {
            let is_weapon =
                |name: &str| state.setup().rules.item(name).is_some_and(|it| it.kind == ItemKind::Weapon);
            state.characters()[seat].inventory.values().any(|(name, ..)| is_weapon(name))
        };
        let combat = fighters.iter().find(armed)?.0.clone();
        let moments = Moments {
            fighters,
            session_zero: state_at(&play, 8),
            narrative: at("She puts the brush down", 0),
            somebody_down: at("She puts the brush down", 0),
            dialogue: at("Well?", 0),
            combat,
            foes_turn: state_at(&play, foes_turn.expect("the foes have a turn").number),
        };
        Some(moments.rewound(&play))
    }

    /// A call of each tool that is accepted, who makes it, and when: the examples of the page of tools.
    pub fn accepted(&self) -> Vec<(&'static str, &State, Seat, Value)> {
        let page = include_str!("../../crates/tool/src/lib.rs");
        page.lines().filter_map(|line| line.strip_prefix("//! | `")).map(|row| self.example(row)).collect()
    }

    fn example(&self, row: &'static str) -> (&'static str, &State, Seat, Value) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [tool, _, who, arguments] = cells[..] else { panic!("a tool's row has four cells: {row}") };
        let (mode, seat) = who.split_once(", ").expect("a mode and a seat");
        let state = match mode {
            "narrative" => &self.narrative,
            "dialogue" => &self.dialogue,
            "combat" => &self.combat,
            "somebody down" => &self.somebody_down,
            _ => panic!("no such mode: {mode}"),
        };
        let acting = || {
            let combat = state.combat().expect("a combat is fought");
            state.character_named(&combat.acting[0]).expect("a character acts").0
        };
        let seat = match seat {
            "DM" => Seat::Dm,
            "Player 1" => Seat::Player(1),
            "the acting seat" => acting(),
            _ => panic!("no such seat: {seat}"),
        };
        let character = &state.characters()[&Seat::Player(1)];
        let carried = &character.inventory.values().next().expect("it carries something").0;
        let arguments =
            arguments.trim_matches('`').replace("NAME", &character.sheet.name).replace("CARRIED", carried);
        let down = state.characters().values().find(|character| !character.stands());
        let arguments = arguments.replace("DOWN", down.map_or("", |character| &character.sheet.name));
        (
            tool.trim_end_matches('`'),
            state,
            seat,
            serde_json::from_str(&arguments).expect("arguments are JSON"),
        )
    }

    /// The narrative is taken before the call that ends it.
    fn rewound(mut self, play: &Performance) -> Moments {
        let line = play.played.transcript.iter().find(|line| line.text.contains("I go over to Wren"));
        self.narrative = state_at(play, line.expect("player 1 acts").number);
        // The DM has been asked about every goal whose checks have not passed: what is called now is meant.
        for goal in self.narrative.goals() {
            let values = Values::default().with("goal", &goal.id);
            let (call, index, fingerprint) = (CallId(900), 0, 0);
            let (tool, rule) = ("encounter_resolve".to_owned(), "needs_open".to_owned());
            let asked = ToolRejected { call, index, tool, fingerprint, rule, values };
            evolve(&mut self.narrative, Number(90_000), Millis(0), &asked.into());
        }
        self.somebody_down = self.narrative.clone();
        let character = self.narrative.characters()[&Seat::Player(2)].sheet.name.clone();
        let falls = HitPointsChanged { character, asked: -99, applied: -99, now: 0 };
        evolve(&mut self.somebody_down, Number(90_000), Millis(0), &falls.into());
        self
    }
}

/// The turn of each character who has one in the first round of a combat, with whoever plays them.
pub fn fighters(play: &Performance) -> Vec<(State, Seat)> {
    let mut fighters = Vec::new();
    let rounds = play.played.transcript.iter().filter(|line| line.text.starts_with("[combat] Round 1"));
    for state in rounds.map(|line| state_at(play, line.number)) {
        let acting = state.combat().map(|combat| combat.acting.clone()).unwrap_or_default();
        let seats = acting.iter().filter_map(|name| Some(state.character_named(name)?.0));
        fighters.extend(seats.map(|seat| (state.clone(), seat)));
    }
    fighters
}

fn state_at(play: &Performance, number: u64) -> State {
    let loaded = load_to(play.played.source(), Some(Number(number))).expect("the journal is whole");
    loaded.campaign.state().clone()
}

/// What a tool decides; the names of its events, or the rejection.
pub fn decide(
    state: &State,
    seat: Seat,
    tool: &str,
    arguments: &str,
) -> Result<Vec<&'static str>, Rejection> {
    let tool = twicetold_tool::named(tool).unwrap_or_else(|| panic!("there is no tool {tool}"));
    if !tool.is_offered(state, seat) {
        return Err(Rejection::new("not_offered").with("tool", tool.name).with("seat", seat));
    }
    let caller = Caller { seat, call: CallId(900) };
    let accepted = tool.decide(state, caller, arguments)?;
    Ok(accepted.events.iter().map(twicetold_event::Event::name).collect())
}
