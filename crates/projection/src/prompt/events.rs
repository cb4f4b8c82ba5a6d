//! What an event is to a model: the text of the charter that tells of it, and what its names stand for.

use twicetold_event::{
    AbilityChecked, Audience, Channel, Check, CutRule, DialogueEnd, Event, Fate, Holder, MessageSpoken,
    Missing, Phase, Provenance, Seat, Source, SpeakerRule, Values,
};

use twicetold_world::State;
use twicetold_world::reading::Reading;
use twicetold_world::setup::Texts;

use super::table_state::one_line;
use crate::template::Facts;
use crate::{Replies, answers, words};

/// A text and what its names stand for; nothing where there is nothing to tell at the table.
pub(crate) type Told = Option<(&'static str, Facts)>;

/// What is needed to tell of an event: the state, the replies, and the words of whom it is told to.
#[derive(Clone, Copy)]
pub(crate) struct Teller<'a> {
    pub(crate) state: &'a State,
    pub(crate) replies: &'a dyn Replies,
    pub(crate) texts: &'a Texts,
    pub(crate) reading: &'a Reading,
    /// Is it told to the DM as narrator? What a check leads to is nobody else's affair.
    pub(crate) narrates: bool,
}

impl Teller<'_> {
    /// What a seat is called at the table: the character's name once there is one.
    pub(crate) fn seat_name(&self, seat: Seat) -> String {
        let character = self.state.characters().get(&seat);
        character.map_or_else(|| self.reading.seat(seat), |character| character.sheet.name.clone())
    }
}

/// What is told of an event that happened there, to a seat that may know it.
pub(crate) fn told(teller: &Teller<'_>, event: &Event, because: Source, audience: Audience) -> Told {
    let Teller { state, replies, texts, reading, narrates } = *teller;
    let facts = Facts::new(because, audience);
    // Who was met in an earlier encounter may have another id in this one.
    let specified = |id: &str| {
        let mut specified = state.setup().encounters.iter().flat_map(|spec| &spec.npcs);
        specified.find(|npc| npc.id == id).map(|npc| npc.name().to_owned())
    };
    let called = |id: &str| {
        let known = state.npcs().get(id).map(|npc| npc.name.clone());
        known.or_else(|| specified(id)).unwrap_or_else(|| id.to_owned())
    };
    let foe = |id: &str| {
        let foe = state.combat().and_then(|combat| combat.foe(id));
        foe.map_or_else(|| id.to_owned(), |foe| foe.foe.name.clone())
    };
    let follows = |word: &AbilityChecked| {
        let spec = state.encounter_spec()?.checks.iter().find(|spec| spec.name == word.check)?;
        spec.came_of(word.success).filter(|_| narrates)
    };
    Some(match event {
        Event::DiceRolled(word) => (
            "dice.rolled",
            facts
                .say("character", &word.character)
                .say("dice", &word.dice)
                .say("total", word.total)
                .say("faces", faces(&word.faces))
                .say("reason", &word.reason),
        ),
        Event::AbilityChecked(word) => (
            "check.made",
            facts
                .say("character", &word.character)
                .say("what", if word.check.is_empty() { &word.reason } else { &word.check })
                .say("ability", &word.ability)
                .say("faces", faces(&word.faces))
                .say("modifier", format!("{:+}", word.modifier))
                .say("total", word.total)
                .say("difficulty", word.difficulty)
                .flag("success", word.success)
                .say_some("follows", follows(word)),
        ),
        Event::RulesLookedUp(word) => {
            let page = state.setup().rules.pages.get(&word.path)?;
            ("rules.page", answers::page(facts.say("path", &word.path), page, word.detail))
        }
        Event::RulesSearched(word) => {
            ("rules.found", facts.say("query", &word.query).say("paths", word.paths.join(", ")))
        }
        Event::PartyDocumentUpdated(word) => match word.origin {
            Provenance::Tool(_) => (
                "document.updated",
                facts
                    .term("section", "sections", word.section.name())
                    .say("entry", word.entry)
                    // A line of its own could look like one of the table's.
                    .say("text", one_line(words(replies, &word.text))),
            ),
            _ => return None,
        },
        Event::GoalRegistered(word) => (
            "goal.registered",
            facts.say("id", &word.id).say("label", &word.label).flag("primary", word.primary),
        ),
        Event::EncounterResolved(word) => {
            ("encounter.resolved", facts.say("encounter", &word.encounter).say("outcome", &word.outcome))
        }
        Event::EncounterUnresolved(word) => {
            let facts = facts.say("encounter", &word.encounter);
            ("encounter.unresolved", facts.text("reason", "over", &word.reason.rule, &word.reason.values))
        }
        Event::EncounterFailed(word) => {
            let facts = facts.say("encounter", &word.encounter).say("outcome", &word.outcome);
            ("encounter.failed", facts.text("reason", "over", &word.reason.rule, &word.reason.values))
        }
        Event::CharacterRecovered(word) => (
            "character.recovered",
            facts.say("character", &word.character).say("now", word.now).say("helper", &word.helper),
        ),
        Event::CharacterLost(word) => {
            ("character.lost", facts.say("character", &word.character).flag("dead", word.fate == Fate::Dies))
        }
        Event::DetailRevealed(word) => (
            "encounter.noticed",
            facts
                .say("character", &word.character)
                .say("score", word.score)
                .say("threshold", word.threshold)
                .say("text", &word.text),
        ),
        Event::MemoryQueried(word) => {
            let answer = answers::answer(texts, &facts, because, &word.answer);
            ("asked.memory", facts.lines("answer", answer))
        }
        Event::CampaignQueried(word) => {
            let answer = answers::answer(texts, &facts, because, &word.answer);
            ("asked.campaign", facts.lines("answer", answer))
        }

        Event::LocationChanged(word) => ("world.place", facts.say("text", &word.text)),
        Event::TimeOfDayChanged(word) => ("world.time", facts.say("text", &word.text)),
        Event::SceneChanged(word) => ("world.scene", facts.say("text", &word.text)),
        Event::ObjectiveSet(word) => ("world.objective", facts.say("text", &word.text)),
        Event::FlagSet(word) => ("world.note_set", facts.say("note", &word.flag).say("value", &word.value)),
        Event::FlagDeleted(word) => ("world.note_deleted", facts.say("note", &word.flag)),
        Event::NotableEventRecorded(word) => ("world.notable", facts.say("text", &word.text)),
        Event::ImportantEventRecorded(word) => ("world.important", facts.say("text", &word.text)),
        Event::MilestoneReached(word) => ("world.milestone", facts.say("text", &word.text)),
        Event::QuestAdded(word) => ("world.quest", facts.say("text", &word.text)),
        Event::QuestCompleted(word) => ("world.quest_done", facts.say("text", &word.text)),
        Event::NpcMet(word) => ("world.met", facts.say("name", &word.name)),

        Event::ItemAdded(word) => {
            ("item.added", item(facts.say("character", &word.character), &word.item, word.quantity))
        }
        Event::ItemRemoved(word) => {
            let asked = (word.asked != word.applied).then_some(word.asked);
            let facts = facts.say("character", &word.character).say_some("asked", asked);
            ("item.removed", item(facts, &word.item, word.applied))
        }
        Event::ItemExchanged(word) => {
            let who = |holder: &Holder| match holder {
                Holder::Character(name) => name.clone(),
                Holder::Npc(id) => called(id),
            };
            let facts = facts.say("giver", who(&word.giver)).say("receiver", who(&word.receiver));
            ("item.exchanged", item(facts, &word.item, word.quantity))
        }
        Event::ItemUsed(word) => (
            "item.used",
            facts
                .say("character", &word.character)
                .say("item", &word.item)
                .flag("spent", word.spent)
                .say("effect", &word.effect),
        ),
        Event::HitPointsChanged(word) => (
            "character.hit_points",
            number(facts.say("character", &word.character), word.asked, word.applied, word.now)
                .flag("down", word.now <= 0),
        ),
        Event::GoldChanged(word) => (
            "character.gold",
            number(facts.say("character", &word.character), word.asked, word.applied, word.now),
        ),
        Event::ExperienceGained(word) => {
            ("character.experience", number(facts, word.asked, word.applied, word.now))
        }
        Event::ConditionAdded(word) => {
            ("character.condition", facts.say("character", &word.character).say("condition", &word.condition))
        }
        Event::ConditionRemoved(word) => (
            "character.condition_over",
            facts.say("character", &word.character).say("condition", &word.condition),
        ),

        Event::MessageSpoken(MessageSpoken { channel: Channel::Whisper(from, to), text, .. }) => (
            "talk.whisper",
            facts
                .say("from", teller.seat_name(*from))
                .say("to", teller.seat_name(*to))
                .say("text", words(replies, text)),
        ),
        Event::DialogueBegan(word) => {
            ("talk.began", facts.say("seat", teller.seat_name(word.seat)).say("npc", called(&word.npc)))
        }
        Event::DialogueJoined(word) => ("talk.joined", facts.say("seat", teller.seat_name(word.seat))),
        Event::DialogueEnded(word) => (
            "talk.ended",
            facts
                .say("npc", called(&word.npc))
                .flag("limit", word.why == DialogueEnd::ExchangeLimit)
                .flag("encounter_over", word.why == DialogueEnd::EncounterOver)
                .flag("nobody_able", word.why == DialogueEnd::NobodyAble),
        ),
        Event::DialogueSummarised(word) => (
            "talk.summarised",
            facts.say("npc", called(&word.npc)).say("text", words(replies, &word.text).trim()),
        ),
        Event::FactLearned(word) => (
            "talk.learned",
            facts.say("npc", called(&word.npc)).say("text", words(replies, &word.text).trim()),
        ),

        Event::CharacterCreated(word) => (
            "person.created",
            facts.say("name", &word.name).term("role", "kinds", word.archetype.name()).say("id", &word.npc),
        ),
        Event::SupportingNpcCreated(word) => (
            "person.created",
            facts.say("name", &word.name).term("role", "kinds", word.role.name()).say("id", &word.npc),
        ),
        Event::SupportingNpcUpdated(word) => (
            "person.known",
            facts
                .say("name", called(&word.npc))
                .term("role", "kinds", word.role.name())
                .say("context", &word.context),
        ),
        Event::NpcProfiled(word) => (
            "person.profile",
            facts
                .say("name", called(&word.npc))
                .say("appearance", &word.appearance)
                .say("personality", &word.personality),
        ),
        Event::NpcStatusChanged(word) => (
            "person.status",
            facts.say("name", called(&word.npc)).term("status", "statuses", word.status.name()),
        ),
        Event::NpcHitPointsChanged(word) => (
            "person.hit_points",
            number(facts.say("name", called(&word.npc)), word.asked, word.applied, word.now),
        ),
        Event::NpcConditionAdded(word) => {
            ("person.condition", facts.say("name", called(&word.npc)).say("condition", &word.condition))
        }
        Event::NpcConditionRemoved(word) => {
            ("person.condition_over", facts.say("name", called(&word.npc)).say("condition", &word.condition))
        }
        Event::TrustChanged(word) => {
            ("person.trust", number(facts.say("name", called(&word.npc)), word.asked, word.applied, word.now))
        }
        Event::FeelingChanged(word) => (
            "person.feeling",
            facts
                .say("name", called(&word.npc))
                .say("feeling", &word.feeling)
                .say("now", word.now)
                .say_some("turns", word.turns),
        ),
        Event::FeelingExpired(word) => {
            ("person.feeling_over", facts.say("name", called(&word.npc)).say("feeling", &word.feeling))
        }
        Event::NpcRemembered(word) => {
            let facts = facts.say("name", called(&word.npc));
            ("person.remembers", facts.text("text", "memory", "encounter", &word.values))
        }
        Event::PartyCarried(word) => ("party.carried", facts.say("title", &word.title)),
        Event::NpcCarried(word) => ("party.knows", facts.say("name", &word.name)),

        Event::CombatBegan(word) => {
            let foes = word.foes.iter().map(|foe| facts.fresh().say("name", &foe.name).say("id", &foe.id));
            let foes = foes.collect();
            let order: Vec<&str> = word.order.iter().map(|place| place.combatant.as_str()).collect();
            ("combat.began", facts.list("foes", foes).say("order", order.join(", ")))
        }
        Event::CombatTurnBegan(word) => {
            ("combat.turn", facts.say("round", word.round).say("combatants", word.combatants.join(", ")))
        }
        Event::AttackMade(word) => (
            "combat.attack",
            facts
                .say("attacker", foe(&word.attacker))
                .say("target", foe(&word.target))
                .say("with", &word.with)
                .say("faces", faces(&word.faces))
                .say("bonus", format!("{:+}", word.bonus))
                .say("total", word.total)
                .say("needed", word.needed)
                .flag("hit", word.hit)
                .say("damage", word.damage)
                .say("damage_dice", &word.damage_dice)
                .say("damage_faces", faces(&word.damage_faces)),
        ),
        Event::FoeHitPointsChanged(word) => (
            "combat.hit_points",
            number(facts.say("name", foe(&word.foe)), word.asked, word.applied, word.now),
        ),
        Event::SavingThrowMade(word) => (
            "combat.save",
            facts
                .say("name", foe(&word.combatant))
                .say("reason", &word.reason)
                .say("ability", &word.ability)
                .say("faces", faces(&word.faces))
                .say("modifier", format!("{:+}", word.modifier))
                .say("total", word.total)
                .say("difficulty", word.difficulty)
                .flag("success", word.success),
        ),
        Event::SpellCast(word) => {
            let spell = state.setup().rules.spell(&word.spell);
            let spell = spell.map_or(word.spell.as_str(), |spell| &spell.name);
            let facts = facts.say("character", &word.character).say("spell", spell);
            ("combat.spell", facts.say("target", foe(&word.target)))
        }
        Event::MoraleChecked(word) => (
            "combat.morale",
            facts
                .say("name", foe(&word.foe))
                .say("faces", faces(&word.faces))
                .say("total", word.total)
                .say("morale", word.morale)
                .flag("stays", word.stays),
        ),
        Event::CombatEnded(word) => (
            "combat.ended",
            facts.say("rounds", word.rounds).term("outcome", "outcomes", word.outcome.name()).text(
                "reason",
                "over",
                &word.reason.rule,
                &word.reason.values,
            ),
        ),

        Event::ReplyRejected(word) => {
            let facts = facts.say("rule", &word.rule);
            // Models read both in one text.
            let facts = facts.text("advice", "advice", &word.rule, &word.values);
            ("table.rejected", facts.text("reason", "rejected", &word.rule, &word.values))
        }
        Event::SpeechCut(word) => match word.rule {
            CutRule::SpokeForAnother => {
                ("table.spoke_for_another", facts.say("seat", reading.seat(word.seat)).observed(&word.values))
            }
            CutRule::TooLong => ("table.too_long", facts.observed(&word.values)),
            // The model did not mean to stop there, or to go on, and nobody needs to hear of it.
            CutRule::Unfinished
            | CutRule::Repeats
            | CutRule::Copied
            | CutRule::CallText
            | CutRule::EndMark => return None,
        },
        Event::NudgeGiven(word) => {
            ("table.reminder", facts.text("text", "reminder", word.nudge.name(), &word.values))
        }
        Event::SpeakerChosen(word) if word.rule == SpeakerRule::Overdue => {
            ("table.overdue", facts.say("seat", teller.seat_name(word.seat)).observed(&word.values))
        }
        Event::PhaseBegan(word) if word.phase == Phase::Play => ("table.play_began", facts),
        Event::PhaseBegan(word) => ("table.phase_began", facts.term("phase", "phases", word.phase.name())),
        Event::MarkerRejected(word) => {
            let missing = missing_items(teller, &facts, &word.missing);
            ("table.marker_rejected", facts.say("phrase", &word.phrase).list("missing", missing))
        }
        Event::CharacterRejected(word) => {
            let problems = problem_items(&facts, &word.reasons);
            ("table.sheet_rejected", facts.say("seat", reading.seat(word.seat)).list("problems", problems))
        }
        Event::CharacterAccepted(word) => {
            ("table.sheet_accepted", facts.say("seat", reading.seat(word.seat)).say("name", &word.sheet.name))
        }
        Event::MessageSpoken(_)
        | Event::CampaignOpened(_)
        | Event::CampaignPaused(_)
        | Event::CampaignResumed(_)
        | Event::CampaignEnded(_)
        | Event::CharterAmended(_)
        | Event::SeatTaken(_)
        | Event::SeatReleased(_)
        | Event::CampaignForked(_)
        | Event::CallWithdrawn(_)
        | Event::HistoryShortened(_)
        | Event::TurnBegan(_)
        | Event::TurnEnded(_)
        | Event::SpeakerChosen(_)
        | Event::StateDigested(_)
        | Event::ModelCallRequested(_)
        | Event::RetryScheduled(_)
        | Event::CallAbandoned(_)
        | Event::ReplyIgnored(_)
        | Event::SummaryWritten(_)
        | Event::PhaseClosed(_)
        | Event::MarkerIgnored(_)
        | Event::ScenarioSet(_)
        | Event::ToolAccepted(_)
        | Event::ToolRejected(_)
        | Event::MoveChosen(_)
        | Event::EvidenceCited(_)
        | Event::EncounterBegan(_)
        | Event::FailureStruck(_)
        | Event::NpcProfileKept(_)
        | Event::ForeignOpened(_)
        | Event::ForeignSpoke(_)
        | Event::ForeignCalled(_)
        | Event::ForeignAnswered(_)
        | Event::ForeignRolled(_)
        | Event::ForeignPassedOver(_)
        | Event::Unknown(_) => return None,
    })
}

/// What a phase lacks, each under `what`.
pub(super) fn missing_items(teller: &Teller<'_>, facts: &Facts, missing: &[Missing]) -> Vec<Facts> {
    let item = |missing: &Missing| {
        let name = missing.seat().map(|seat| teller.seat_name(seat));
        let values = name.map(|name| Values::default().with("name", name));
        facts.fresh().text("what", "missing", missing.name(), &values.unwrap_or_default())
    };
    missing.iter().map(item).collect()
}

/// What is wrong with a sheet, each under `problem`.
pub(super) fn problem_items(facts: &Facts, problems: &[Check]) -> Vec<Facts> {
    let item = |problem: &Check| facts.fresh().text("problem", "sheet", &problem.rule, &problem.values);
    problems.iter().map(item).collect()
}

fn item(facts: Facts, item: &str, quantity: u32) -> Facts {
    facts.say_some("quantity", (quantity != 1).then_some(quantity)).say("item", item)
}

/// A number that changed; by how much it was meant to change where that was not possible.
fn number(facts: Facts, asked: i64, applied: i64, now: i64) -> Facts {
    let asked = (asked != applied).then(|| format!("{asked:+}"));
    facts.say("applied", format!("{applied:+}")).say_some("asked", asked).say("now", now)
}

fn faces(faces: &[u16]) -> String {
    faces.iter().map(u16::to_string).collect::<Vec<_>>().join("+")
}
