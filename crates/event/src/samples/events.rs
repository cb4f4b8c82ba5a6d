//! One sample of every event and of every variant inside an event.

use twicetold_model::{Digest, FaultKind, Usage};

use super::{every, faults, seats};
use crate::*;

every!(texts: Text { Reply { call: CallId(300), start: 5, end: 1_200 }, Written("The rain stops.".into()), });
every!(channels: Channel {
    SessionZero, Main, Dialogue("old-mara".into()), Whisper(Seat::Player(1), Seat::Player(2)),
});
every!(audiences: Audience { All, Dm, Seats(vec![Seat::Dm, Seat::Player(2), Seat::Memory]), });
every!(places: Place { Blob(BlobId(130), 1_000), Reply(CallId(300), 200), Inline("Turn 3".into()), });
every!(sources: Source { Charter, Event(Number(70_000)), State, });
every!(pieces: Item {
    Message(203),
    Span(span(Place::Inline("Turn 3".into()), Source::State)),
    ToolCall { call: CallId(300), index: 1, id: 12 },
    ToolResult { id: 12 },
    Tool(5),
    Opaque { call: CallId(300), index: 2 },
});
every!(edits: Edit { Keep { from: 4, count: 300 }, Add(Item::Tool(5)), });
every!(purposes: Purpose {
    SessionZero, Play, Summary { from: 12, to: 200 }, Dialogue, DialogueSummary { dialogue: 130 }, Profile { npc: 131 },
});
every!(endings: Ending { Finished, TurnLimit, CallLimit, TokenLimit, ModelUnavailable, });
every!(turn_ends: TurnEnd { Spoken, Tool, RoundLimit, Unusable, Abandoned, });
every!(speaker_rules: SpeakerRule {
    DmSpeaksLast, AskedByName, AddressedFirst, OnlyNameInBold, WaitedLongest, Overdue, DmOpensPhase,
    InDialogue, CompanionAnswers, DialogueOver, Initiative,
});
every!(phases: Phase { Pitch, Converge, Lock, Play, });
every!(closers: ClosedBy { Marker, RoundLimit, });
every!(marker_faults: MarkerFault { NotTheDm, WrongPhase, Quoted, SecondInMessage, });
every!(origins: Provenance { Reply(CallId(300)), Charter, Derived, Pregenerated, Tool(CallId(300)), Carried, });
every!(sections: Section { Relationships, Hooks, Goals, Tensions, Events, Secrets, });
every!(cut_rules: CutRule { SpokeForAnother, TooLong, });
every!(nudges: Nudge { PartyDocumentStale, NpcNotRecorded, DialogueLeftOpen, });
every!(dialogue_ends: DialogueEnd { Tool, ExchangeLimit, EncounterOver, });
every!(memory_queries: MemoryQuery { ImportantEvents, SupportingNpcs, All, });
every!(campaign_queries: CampaignQuery { Npc, Act, Encounter, });
every!(archetypes: Archetype { Companion, Townsperson, Foe, LoveInterest, });
every!(npc_roles: NpcRole { Ally, Rival, Neutral, Informant, Merchant, QuestGiver, });
every!(npc_statuses: NpcStatus { Active, Dead, Departed, });
every!(holders: Holder { Character("Brannoc".into()), Npc("old-mara".into()), });
every!(combat_outcomes: CombatOutcome { Victory, Defeat, FoesFled, PartyFled, Truce, BrokenOff, });
every!(details: Detail { Summary, Stats, Full, });

/// Every event at least once.
pub fn events() -> Vec<Event> {
    [
        campaign(),
        turns(),
        calls(),
        speech(),
        session_zero(),
        artefacts(),
        tools(),
        encounters(),
        world(),
        party(),
        dialogues(),
        people(),
        relations(),
        combat(),
        carried(),
        foreign(),
    ]
    .concat()
}

/// One event for each of `values`.
fn each<T, E: Into<Event>>(values: Vec<T>, event: impl Fn(T) -> E) -> Vec<Event> {
    values.into_iter().map(|value| event(value).into()).collect()
}

fn span(place: Place, source: Source) -> Span {
    Span { place, length: 640, source }
}

fn written() -> Text {
    Text::Written("The bridge is watched.".into())
}

fn campaign() -> Vec<Event> {
    let mut events = vec![
        CampaignOpened { charter: Digest([0x61; 32]), players: 200 }.into(),
        CampaignParked { reason: "Ctrl-C".into() }.into(),
        CampaignResumed {}.into(),
        CharterAmended { path: "limits.toml".into(), digest: Digest([0x62; 32]) }.into(),
    ];
    events.extend(each(endings(), |ending| CampaignEnded { ending, observed: "80 of 80 turns".into() }));
    events.extend(each(seats(), |seat| SeatTaken { seat, person: "Ada".into() }));
    events.extend(each(seats(), |seat| SeatReleased { seat }));
    events
}

fn turns() -> Vec<Event> {
    let mut events = each(seats(), |seat| TurnBegan { turn: 200, seat });
    events.extend(each(turn_ends(), |why| TurnEnded { turn: 200, why }));
    events.extend(each(speaker_rules(), |rule| SpeakerChosen {
        seat: Seat::Player(2),
        rule,
        observed: "Brannoc, what do you do?".into(),
    }));
    events.push(StateDigested { digest: Digest([0x63; 32]) }.into());
    events
}

fn calls() -> Vec<Event> {
    let requested = |purpose, manifest| ModelCallRequested {
        call: CallId(301),
        seat: Seat::Player(2),
        purpose,
        digest: Digest([0x64; 32]),
        tokens: 4_321,
        manifest,
    };
    let mut every_edit = edits();
    every_edit.extend(pieces().into_iter().map(Edit::Add));
    every_edit.extend(places().into_iter().map(|place| Edit::Add(Item::Span(span(place, Source::Charter)))));
    every_edit.extend(
        sources().into_iter().map(|source| Edit::Add(Item::Span(span(Place::Blob(BlobId(130), 7), source)))),
    );
    let difference = Manifest { base: Some(CallId(298)), edits: every_edit.into() };
    let whole = Manifest { base: None, edits: vec![Edit::Add(Item::Message(1))].into() };
    let mut events = vec![requested(Purpose::Play, difference).into()];
    events.extend(each(purposes(), |purpose| requested(purpose, whole.clone())));
    events.extend(each(faults(), |fault| RetryScheduled {
        call: CallId(301),
        attempt: 2,
        due: Millis(1_700_000_000_250),
        fault,
    }));
    events.extend([
        CallAbandoned { call: CallId(301), fault: FaultKind::OutOfScript }.into(),
        ReplyIgnored { call: CallId(301), owed: Some(CallId(302)) }.into(),
        ReplyIgnored { call: CallId(301), owed: None }.into(),
        ReplyRejected { call: CallId(301), rule: "empty_reply".into(), values: Values::default() }.into(),
    ]);
    events
}

fn speech() -> Vec<Event> {
    let spoken = |seat, channel, audience, text| MessageSpoken { seat, channel, audience, text };
    let mut events = each(seats(), |seat| spoken(seat, Channel::Main, Audience::All, written()));
    events.extend(each(channels(), |channel| spoken(Seat::Player(2), channel, Audience::Dm, written())));
    events.extend(each(audiences(), |audience| spoken(Seat::Dm, Channel::Main, audience, written())));
    events.extend(each(texts(), |text| spoken(Seat::Dm, Channel::SessionZero, Audience::All, text)));
    events.extend(each(cut_rules(), |rule| SpeechCut {
        seat: Seat::Player(2),
        call: CallId(300),
        rule,
        at: 512,
        observed: "Mara:".into(),
    }));
    events.extend(each(texts(), |text| SummaryWritten { from: 12, to: 200, text, fallback: true }));
    events.extend(each(nudges(), |nudge| NudgeGiven { nudge, text: "Record whom the party met.".into() }));
    events
}

fn session_zero() -> Vec<Event> {
    let mut events = each(phases(), |phase| PhaseBegan { phase });
    events.extend(each(closers(), |by| PhaseClosed { phase: Phase::Lock, by, rounds: 3 }));
    events.extend(each(marker_faults(), |why| MarkerIgnored {
        phrase: "PITCH COMPLETE".into(),
        seat: Seat::Player(2),
        why,
    }));
    let missing = vec!["the scenario".into(), "a sheet for Player 2".into()];
    events.push(MarkerRefused { phrase: "SESSION ZERO LOCKED".into(), missing }.into());
    events
}

fn artefacts() -> Vec<Event> {
    let sheet = Sheet {
        name: "Brannoc".into(),
        class: "warden".into(),
        abilities: vec![15, 12, 13, 10, 8, 200],
        hit_points: 300,
        armor_class: 214,
        equipment: vec!["spear".into(), "lantern".into()],
        background: "Ferryman.".into(),
        secret: "Owes the Guild.".into(),
    };
    let mut events = each(origins(), |origin| ScenarioSet { public: written(), dm: written(), origin });
    events.extend(each(origins(), |origin| CharacterAccepted {
        seat: Seat::Player(2),
        sheet: sheet.clone(),
        origin,
    }));
    let reasons = vec!["class: no such class".into()];
    events.push(CharacterRefused { seat: Seat::Player(2), attempt: 2, reasons }.into());
    events.extend(each(sections(), |section| PartyDocumentUpdated {
        section,
        version: 2,
        text: written(),
        reason: "The oath.".into(),
        origin: Provenance::Tool(CallId(300)),
    }));
    events
}

fn tools() -> Vec<Event> {
    let check = Check::new("dynamic_goals_max").with("registered", 1).with("most", 2);
    let mut events = vec![
        ToolAccepted {
            call: CallId(300),
            index: 1,
            tool: "goal_register".into(),
            fingerprint: 0xfedc_ba98_7654_3210,
            checks: vec![check],
            effects: 3,
        }
        .into(),
        ToolRejected {
            call: CallId(300),
            index: 2,
            tool: "start_combat".into(),
            fingerprint: 0x0123_4567_89ab_cdef,
            rule: "not_offered".into(),
            values: Values::default().with("mode", "play").with("offered", ""),
        }
        .into(),
        DiceRolled {
            character: "Brannoc".into(),
            dice: "2d6-9".into(),
            stream: "player-2 roll".into(),
            counter: 7,
            faces: vec![4, 300],
            total: -2,
            reason: "the leap".into(),
        }
        .into(),
        AbilityChecked {
            character: "Brannoc".into(),
            check: "Read the ledger".into(),
            ability: "WIT".into(),
            stream: "player-2 check Read the ledger".into(),
            counter: 8,
            faces: vec![11, 17],
            modifier: -1,
            total: 16,
            difficulty: 13,
            success: true,
            reason: "the ink".into(),
        }
        .into(),
        RulesSearched { query: "grapple".into(), paths: vec!["combat/grapple".into(), "combat".into()] }
            .into(),
    ];
    events.extend(each(details(), |detail| RulesLookedUp { path: "combat/grapple".into(), detail }));
    events
}

fn encounters() -> Vec<Event> {
    let encounter = || String::from("gone-before-dusk");
    vec![
        EncounterBegan {
            encounter: encounter(),
            draws: vec![Draw { key: "weather".into(), value: "sleet".into() }],
        }
        .into(),
        DetailRevealed {
            reveal: 1,
            text: "Mud on the sill.".into(),
            character: "Brannoc".into(),
            score: 14,
            threshold: -12,
        }
        .into(),
        GoalRegistered {
            id: "dynamic_spare-the-thief".into(),
            label: "Spare the thief".into(),
            primary: true,
            reason: "They asked.".into(),
        }
        .into(),
        EncounterResolved {
            encounter: encounter(),
            outcome: "dynamic_spare-the-thief".into(),
            summary: "She goes free.".into(),
            messages: 17,
            call: CallId(300),
        }
        .into(),
        EncounterUnresolved { encounter: encounter(), reason: "60 of 60 messages".into(), messages: 60 }
            .into(),
    ]
}

fn world() -> Vec<Event> {
    vec![
        LocationChanged { text: "The mill".into() }.into(),
        TimeOfDayChanged { text: "Dusk".into() }.into(),
        SceneChanged { text: "Rain on slate.".into() }.into(),
        ObjectiveSet { text: "Find the lantern.".into() }.into(),
        FlagSet { flag: "gate".into(), value: "open".into() }.into(),
        FlagDeleted { flag: "gate".into() }.into(),
        NotableEventRecorded { text: "The gate fell.".into() }.into(),
        ImportantEventRecorded { text: "The oath was sworn.".into() }.into(),
        MilestoneReached { text: "The first lantern.".into() }.into(),
        QuestAdded { text: "Bring the lantern home.".into() }.into(),
        QuestCompleted { text: "Find the ferryman.".into() }.into(),
        NpcMet { npc: "old-mara".into(), name: "Old Mara".into() }.into(),
    ]
}

fn party() -> Vec<Event> {
    let who = || String::from("Brannoc");
    vec![
        ItemAdded { character: who(), item: "Rope".into(), quantity: 300 }.into(),
        ItemRemoved { character: who(), item: "Rope".into(), asked: 300, applied: 2 }.into(),
        HitPointsChanged { character: who(), asked: -30, applied: -7, now: 200 }.into(),
        GoldChanged { character: who(), asked: -30, applied: -7, now: 200 }.into(),
        ExperienceGained { asked: 900, applied: 500, now: 1_500 }.into(),
        ConditionAdded { character: who(), condition: "soaked".into() }.into(),
        ConditionRemoved { character: who(), condition: "soaked".into() }.into(),
    ]
}

fn dialogues() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = vec![
        DialogueBegan { dialogue: 130, npc: npc(), seat: Seat::Player(1), present: vec![Seat::Player(2)] }
            .into(),
        DialogueJoined { dialogue: 130, seat: Seat::Player(2) }.into(),
        DialogueSummarised {
            dialogue: 130,
            npc: npc(),
            seats: vec![Seat::Player(1), Seat::Player(2)],
            text: Text::Reply { call: CallId(300), start: 5, end: 1_200 },
            fallback: true,
        }
        .into(),
        FactLearned { dialogue: 130, npc: npc(), text: Text::Written("Brannoc cannot swim.".into()) }.into(),
    ];
    events.extend(each(dialogue_ends(), |why| DialogueEnded {
        dialogue: 130,
        npc: npc(),
        why,
        exchanges: 7,
    }));
    events.extend(each(memory_queries(), |query| MemoryQueried {
        seat: Seat::Player(1),
        query,
        text: "oath".into(),
        answer: vec![
            Answer::new("events"),
            Answer::new("event").with("number", 1).with("text", "The oath was sworn."),
        ],
    }));
    events.extend(each(campaign_queries(), |query| CampaignQueried {
        seat: Seat::Player(1),
        query,
        id: "old-mara".into(),
        answer: vec![Answer::new("npc").with("name", "Old Mara").with("role", "ferrywoman")],
    }));
    events
}

fn people() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = each(archetypes(), |archetype| CharacterCreated {
        npc: npc(),
        name: "Old Mara".into(),
        archetype,
        location: "The mill".into(),
        trust: -50,
    });
    events.extend(each(npc_roles(), |role| SupportingNpcCreated {
        npc: npc(),
        name: "Old Mara".into(),
        role,
        context: "She saw the boat.".into(),
        location: "The mill".into(),
        combat_slug: "ferry-hand".into(),
    }));
    events.push(
        SupportingNpcUpdated {
            npc: npc(),
            role: NpcRole::Rival,
            context: "She sold the boat.".into(),
            combat_slug: "ferry-hand".into(),
        }
        .into(),
    );
    events.push(
        NpcProfiled {
            npc: npc(),
            call: CallId(300),
            appearance: "Small, in oilskins".into(),
            personality: "Dry".into(),
            motivations: vec!["a new boat".into(), "quiet".into()],
            location: "the landing".into(),
            notes: "Owes the miller.".into(),
        }
        .into(),
    );
    events.push(NpcProfileKept { npc: npc(), reason: "no JSON object".into() }.into());
    events.extend(each(npc_statuses(), |status| NpcStatusChanged { npc: npc(), status }));
    events.push(NpcHitPointsChanged { npc: npc(), asked: -30, applied: -7, now: 200 }.into());
    events.push(NpcConditionAdded { npc: npc(), condition: "soaked".into() }.into());
    events.push(NpcConditionRemoved { npc: npc(), condition: "soaked".into() }.into());
    events
}

fn relations() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = vec![
        TrustChanged { npc: npc(), asked: 300, applied: 70, now: 100 }.into(),
        FeelingChanged { npc: npc(), feeling: "anger".into(), asked: 200, now: 100, turns: Some(300) }.into(),
        FeelingExpired { npc: npc(), feeling: "anger".into() }.into(),
        NpcRemembered {
            npc: npc(),
            memory_key: "mara".into(),
            encounter: "gone-before-dusk".into(),
            text: "They paid.".into(),
        }
        .into(),
        ItemUsed {
            character: "Brannoc".into(),
            item: "Salve".into(),
            spent: true,
            effect: "heals 1d4".into(),
        }
        .into(),
    ];
    events.extend(each(holders(), |giver| ItemExchanged {
        item: "Rope".into(),
        quantity: 300,
        giver,
        receiver: Holder::Npc(npc()),
    }));
    events
}

fn combat() -> Vec<Event> {
    let wolf = || String::from("marsh-wolf-2");
    let foe = Foe {
        id: wolf(),
        name: "Marsh wolf".into(),
        monster: "marsh-wolf".into(),
        npc: "old-mara".into(),
        armor_class: 200,
        hit_points: 200,
        morale: 7,
    };
    let place = Initiative {
        combatant: wolf(),
        stream: "foe:marsh-wolf-2 initiative".into(),
        counter: 7,
        faces: vec![4, 300],
        total: -2,
    };
    let mut events = vec![
        CombatBegan { foes: vec![foe], order: vec![place] }.into(),
        CombatTurnBegan { round: 3, combatants: vec![wolf(), "marsh-wolf-3".into()] }.into(),
        AttackMade {
            attacker: "Brannoc".into(),
            target: wolf(),
            with: "Spear".into(),
            stream: "player-2 attack".into(),
            counter: 8,
            faces: vec![11, 300],
            bonus: -1,
            total: 16,
            needed: 13,
            hit: true,
            damage_dice: "1d6+1".into(),
            damage_faces: vec![5, 300],
            damage: 200,
        }
        .into(),
        SpellCast { character: "Brannoc".into(), spell: "kindle".into(), target: wolf() }.into(),
        FoeHitPointsChanged { foe: wolf(), asked: -30, applied: -7, now: 200 }.into(),
        SavingThrowMade {
            combatant: "Brannoc".into(),
            ability: "WIT".into(),
            stream: "player-2 save WIT".into(),
            counter: 8,
            faces: vec![11, 300],
            modifier: -1,
            total: 16,
            difficulty: 13,
            success: true,
            reason: "the cold".into(),
        }
        .into(),
        MoraleChecked {
            foe: wolf(),
            stream: "foe:marsh-wolf-2 morale".into(),
            counter: 9,
            faces: vec![4, 300],
            total: 304,
            morale: 7,
            stays: true,
        }
        .into(),
    ];
    events.extend(each(combat_outcomes(), |outcome| CombatEnded {
        outcome,
        rounds: 3,
        reason: "no foe is left".into(),
    }));
    events
}

fn carried() -> Vec<Event> {
    vec![
        CampaignForked {
            parent: CampaignId([0x51; 16]),
            at: Number(70_000),
            seed: Some(0x0102_0304_0506_0708),
        }
        .into(),
        CallWithdrawn { call: CallId(300) }.into(),
        PartyCarried {
            campaign: CampaignId([0x51; 16]),
            title: "One Lantern Short".into(),
            next: Number(70_000),
            sources: vec![Number(300), Number(301)],
        }
        .into(),
        NpcCarried {
            npc: "old-mara".into(),
            name: "Old Mara".into(),
            memory_key: "mara".into(),
            archetype: Archetype::LoveInterest,
            role: Some(NpcRole::Merchant),
            description: "ferrywoman".into(),
            persona: "Dry and exact.".into(),
            status: NpcStatus::Departed,
            trust: 70,
            items: vec![("Rope".into(), 300)],
            memories: vec!["They paid.".into()],
        }
        .into(),
    ]
}

every!(foreign_parts: ForeignPart { Calls, Rolls, Usage, Audience, });
every!(foreign_roles: ForeignRole { Narrator, Player, Other, });

fn foreign() -> Vec<Event> {
    let mut events = vec![
        ForeignOpened { file: "night.jsonl".into(), format: "autogen".into(), parts: foreign_parts() }.into(),
        ForeignCalled {
            speaker: "dm".into(),
            id: "call_1".into(),
            tool: "roll".into(),
            arguments: "{\"dice\":\"1d20\"}".into(),
        }
        .into(),
        ForeignAnswered {
            id: "call_1".into(),
            text: "{\"total\":300}".into(),
            failed: Some(true),
            roll: Some(ForeignRoll {
                character: "Ada".into(),
                dice: "1d20".into(),
                faces: vec![11, 300],
                total: Some(-300),
                difficulty: Some(300),
                success: Some(true),
            }),
        }
        .into(),
    ];
    events.extend(each(foreign_roles(), |role| ForeignSpoke {
        speaker: "dm".into(),
        role,
        audience: Some(vec!["Ada".into()]),
        text: "The door is open.".into(),
        usage: Some(Usage { input_tokens: 4_000, cached_tokens: 3_000, output_tokens: 200 }),
    }));
    events
}
