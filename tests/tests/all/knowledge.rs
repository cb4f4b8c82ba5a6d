//! Promise: each seat's requests hold only what that seat may know: over random campaigns, with a mark in everything that is said or written.

use std::collections::{BTreeMap, BTreeSet};

use twicetold_event::Seat;
use twicetold_improv::improvise;
use twicetold_tests::reply_body;
use twicetold_tests::{Game, repository};
use twicetold_world::setup::SourceFile;

/// Who may read a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Everybody,
    /// These players, the DM as narrator not, unless it is among them.
    Seats(BTreeSet<Seat>),
    /// The DM as narrator alone.
    Narrator,
    /// Nobody yet.
    Nobody,
}

struct World {
    random: u64,
    marks: BTreeMap<String, Known>,
    count: u32,
}

impl World {
    fn below(&mut self, bound: u64) -> u64 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % bound
    }

    fn mark(&mut self, known: Known) -> String {
        self.count += 1;
        let mark = format!("MARK{}X", self.count);
        self.marks.insert(mark.clone(), known);
        mark
    }

    /// Every mark in a request is one that whoever is asked may read.
    fn check(&self, seat: Seat, body: &str) {
        let companion = body.contains("role: companion");
        for part in body.split("MARK").skip(1) {
            let mark = format!("MARK{}X", part.split('X').next().unwrap_or_default());
            let known = self.marks.get(&mark).unwrap_or_else(|| panic!("{mark} was never written"));
            let may = match known {
                Known::Everybody => true,
                Known::Seats(seats) => seats.contains(&seat),
                Known::Narrator => seat == Seat::Dm && !companion,
                Known::Nobody => false,
            };
            assert!(may, "{seat} (companion: {companion}) was shown {mark}, which is for {known:?}");
        }
    }

    /// What somebody in play says or does.
    fn act(&mut self, seat: Seat, body: &str) -> String {
        let dialogue = body.contains("mode: dialogue");
        if body.contains("role: memory") {
            return self.keep(body);
        }
        match (seat, dialogue) {
            (Seat::Dm, true) => self.companion(body),
            (Seat::Dm, false) => self.narrate(),
            (_, true) => {
                let mark = self.mark(in_dialogue(body));
                reply_body(&format!("I say {mark}."), &[])
            }
            _ => self.play(seat),
        }
    }

    fn keep(&mut self, body: &str) -> String {
        if body.contains("phase: dialogue") {
            // What is kept of a dialogue is for those who held it; the facts for the character alone.
            let heading =
                body.split("of=\\\"").nth(1).and_then(|rest| rest.split("\\\"").next()).unwrap_or_default();
            let mut seats = named(heading);
            seats.insert(Seat::Dm);
            let mark = self.mark(Known::Seats(seats));
            let fact = self.mark(Known::Seats([Seat::Dm].into()));
            return reply_body(&format!("They spoke of {mark}.\n- They know {fact}."), &[]);
        }
        let mark = self.mark(Known::Everybody);
        match body.contains("phase: profile") {
            true => {
                reply_body("{\"appearance\":\"tall\",\"personality\":\"dry\",\"motivations\":[\"tea\"]}", &[])
            }
            false => reply_body(&format!("It came to {mark}."), &[]),
        }
    }

    fn narrate(&mut self) -> String {
        let mark = self.mark(Known::Everybody);
        let words = format!("Something happens: {mark}.");
        match self.below(7) {
            0 | 1 => {
                let who = ["wren-pellow", "ottilie-brack", "augustin-marchpane"][self.below(3) as usize];
                reply_body(&words, &[("start_dialogue", &format!("{{\"character_id\":{who:?}}}"))])
            }
            2 => {
                let goal = self.mark(Known::Narrator);
                let id = format!("goal-{}", self.count);
                let call = format!(
                    "{{\"id\":{id:?},\"label\":\"It is {goal}.\",\"isPrimary\":false,\"reason\":\"{goal}\"}}"
                );
                reply_body(&words, &[("goal_register", &call)])
            }
            3 => {
                let note = self.mark(Known::Narrator);
                let flag = format!("{{\"note\":\"n{}\",\"note_value\":\"{note}\"}}", self.count);
                reply_body(&words, &[("update_scene", &flag)])
            }
            4 => {
                let secret = self.mark(Known::Narrator);
                let call =
                    format!("{{\"section\":\"secrets\",\"text\":\"{secret}\",\"reason\":\"{secret}\"}}");
                reply_body(&words, &[("update_party_document", &call)])
            }
            5 => {
                let about = self.mark(Known::Seats([Seat::Dm, Seat::Memory].into()));
                let name = format!("Person {}", self.count);
                let call = format!("{{\"name\":{name:?},\"role\":\"ally\",\"context\":\"Knows {about}.\"}}");
                reply_body(&words, &[("create_supporting_npc", &call)])
            }
            _ => reply_body(&words, &[]),
        }
    }

    fn companion(&mut self, body: &str) -> String {
        let mark = self.mark(in_dialogue(body));
        let words = format!("Between us: {mark}. Player {}, what do you say?", 1 + self.below(3));
        match self.below(4) {
            0 => reply_body(&words, &[("end_dialogue", "{}")]),
            1 => reply_body(&words, &[("query_session_memory", "{\"query_type\":\"important_events\"}")]),
            _ => reply_body(&words, &[]),
        }
    }

    fn play(&mut self, seat: Seat) -> String {
        let mark = self.mark(Known::Everybody);
        let words = format!("I do {mark}.");
        if self.below(2) == 0 {
            return reply_body(&words, &[]);
        }
        let to = [Seat::Dm, Seat::Player(1), Seat::Player(2), Seat::Player(3)][self.below(4) as usize];
        let known = if to == seat { Known::Seats([seat].into()) } else { Known::Seats([seat, to].into()) };
        let whispered = self.mark(known);
        let name = if to == Seat::Dm { "DM".to_owned() } else { to.to_string() };
        let call = format!("{{\"to\":{name:?},\"text\":\"{whispered}\"}}");
        reply_body(&words, &[("whisper", &call)])
    }
}

/// Those who are part of the dialogue now, as the table state says; the DM and the memory agent, who sums it up.
fn in_dialogue(body: &str) -> Known {
    let with = body.rsplit("\\nwith: ").next().unwrap_or_default();
    let mut seats = named(with.split("\\n").next().unwrap_or_default());
    seats.extend([Seat::Dm, Seat::Memory]);
    Known::Seats(seats)
}

/// Names of the pregenerated characters carry their seats here.
fn named(names: &str) -> BTreeSet<Seat> {
    (1..=3).filter(|number| names.contains(&format!("Seat{number}"))).map(Seat::Player).collect()
}

fn game(world: &mut World, seed: u64) -> Game {
    let mut game = Game::new(seed);
    let path = repository().join("config/encounters/the-landing-stage.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let ahead = world.mark(Known::Nobody);
    let text = text.replacen("opening = \"\"\"\n", &format!("opening = \"\"\"\n{ahead} "), 1);
    assert!(text.contains(&ahead));
    game.files.push(SourceFile { path: "encounters/the-landing-stage.toml".into(), text: text.into() });
    let listed = "encounters = [\"gone-before-dusk\"]";
    game = game.with("campaign.toml", listed, "encounters = [\"gone-before-dusk\", \"the-landing-stage\"]");
    let (notes, dm) = (world.mark(Known::Narrator), world.mark(Known::Narrator));
    game = game.with(
        "encounters/gone-before-dusk.toml",
        "Clues come in threes",
        &format!("{notes} Clues come in threes"),
    );
    game = game.with("encounters/gone-before-dusk.toml", "messages_max = 44", "messages_max = 30");
    game = game.with("limits.toml", "turns_max = 200", "turns_max = 70");
    let text = &game.files.iter().find(|file| file.path == "campaign.toml").unwrap().text;
    let lead = text.split("dm = \"\"\"\n").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let dm = format!("dm = \"\"\"\n{dm} {lead}");
    game.with("campaign.toml", &format!("dm = \"\"\"\n{lead}"), &dm)
}

/// A sheet whose name tells the seat, and whose secret carries a mark.
fn sheet(world: &mut World, seat: Seat, body: &str) -> Option<String> {
    let Seat::Player(number) = seat else { return None };
    body.contains("sheet: needed").then(|| {
        let secret = world.mark(Known::Seats([seat].into()));
        world.marks.insert(secret.clone(), Known::Seats([seat, Seat::Dm].into()));
        let text = format!(
            "[CHARACTER]\nName: Seat{number} Vell\nClass: warden\nStats: STR 12, DEX 10, CON 10, INT 10, WIS 10, CHA 10\nHP: 6\nAC: 10\nEquipment:\nBackground: Keeps a gate.\nSecret: {secret}\n[/CHARACTER]"
        );
        reply_body(&text, &[])
    })
}

#[test]
fn a_name_that_is_the_dms_stands_for_nothing_in_a_prompt_of_others() {
    use twicetold_projection::prompt::{DM_NAMES, NAMES};
    let mut game = Game::new(31);
    let asked: String = NAMES.iter().map(|name| format!("\n<<{name}:{{{{{name}}}}}>>")).collect();
    for file in game
        .files
        .iter_mut()
        .filter(|file| file.path.starts_with("prompts/player-") || file.path.starts_with("prompts/memory-"))
    {
        file.text = format!("{}{asked}", file.text).into();
    }
    let play = twicetold_tests::Script::of(game).play();
    assert_eq!(play.rejections(), Vec::<String>::new());
    let bodies: Vec<&str> = play.asked(twicetold_tests::Who::Player).collect();
    assert!(!bodies.is_empty());
    for body in bodies {
        for name in DM_NAMES {
            assert!(body.contains(&format!("<<{name}:>>")), "{name} is filled in for a player");
        }
    }
    // The list names all that there is: whatever else a player asks for says something, or has nothing to say to anybody.
    let of_dm = play.asked(twicetold_tests::Who::Dm).last().expect("the DM is asked");
    assert!(of_dm.contains("<encounter"), "the DM's own prompt is as it was");
}

#[test]
fn no_seat_is_ever_told_what_it_may_not_know() {
    let mut kinds = BTreeSet::new();
    for seed in 0..24 {
        let mut world = World { random: seed + 1, marks: BTreeMap::new(), count: 0 };
        let game = game(&mut world, seed);
        let played = game.answered(&mut |seat, body| {
            world.check(seat, body);
            if body.contains("phase: play") || body.contains("role: memory") {
                return world.act(seat, body);
            }
            sheet(&mut world, seat, body).unwrap_or_else(|| improvise(body))
        });
        kinds.extend(played.events.iter().map(twicetold_event::Event::name));
    }
    let needed = [
        "DialogueJoined",
        "DialogueSummarised",
        "FactLearned",
        "GoalRegistered",
        "FlagSet",
        "NpcProfiled",
        "SummaryWritten",
        "EncounterUnresolved",
    ];
    for name in needed {
        assert!(kinds.contains(name), "{name} never happened: the campaigns show nothing about it");
    }
}
