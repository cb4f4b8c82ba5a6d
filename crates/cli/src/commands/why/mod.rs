//! `why`: the chain behind an effect, down to the exact prompt.

mod graph;
mod names;
mod not;
mod tree;
mod verdict;

pub use names::suggested;
pub use not::{NotArguments, not, suggested as suggested_rejected};

use std::process::ExitCode;

use twicetold_event::{Number, Section};
use twicetold_journal::Source;
use twicetold_model::{Part, Role};
use twicetold_session::{Cause, Chain, Explainer, GoalWhy, Loaded, Rebuilt, Subject, goal_ids};

use twicetold_host::Library;
use twicetold_world::{Inventory, State, fold};

use crate::data::{self, Why, WhyGoal, WhyNames, WhyReply, WhyShown, WhyWords, campaign_of};
use crate::failure::{Failure, code};
use crate::pager::{page, page_as_it_is};
use crate::terminal::{BOLD, DIM, did_you_mean, safe, with_numbers};

/// Steps that may be gone back at most: each takes up to eight sources.
const DEPTH_MAX: u32 = 4;

/// Prints the causes of an effect, back to the exact prompt
///
/// The causes are the rules, the tool call, the model reply, the request, and the events in its prompt.
/// Without a name it lists the names; without a kind, the kinds.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// The kind of thing to explain [default: list the kinds]
    #[arg(value_enum)]
    what: Option<What>,

    /// Its name, or a sequence number as `log` shows it [default: list the names]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Number of steps to go back, at most 4. Each step also explains the 8 newest events in the prompt of the
    /// step before
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(DEPTH_MAX)))]
    depth: u32,

    /// Do not truncate texts, and show all steps back to #0
    #[arg(long)]
    full: bool,

    /// Instead, trace this text from the given event back to the event in which it first appeared
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new(), conflicts_with_all = ["prompt", "mermaid", "dot", "shown"])]
    words: Option<String>,

    /// Instead, report whether the prompt contained the event with this sequence number
    #[arg(long, value_name = "N", conflicts_with_all = ["prompt", "mermaid", "dot"])]
    shown: Option<u64>,

    /// Print the exact request instead, rebuilt from the journal and checked against its digest
    #[arg(long, conflicts_with_all = ["mermaid", "dot", "json"])]
    prompt: bool,

    /// Print JSON
    #[arg(long, conflicts_with_all = ["mermaid", "dot"])]
    json: bool,

    /// Print a Mermaid diagram
    #[arg(long, conflicts_with = "dot")]
    mermaid: bool,

    /// Print a Graphviz diagram
    #[arg(long)]
    dot: bool,
}

/// What can be asked about.
#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// A hidden goal, by its id
    Goal,
    /// An NPC: how it entered the story
    Npc,
    /// An item: why a character has it, or no longer has it
    Item,
    /// A section of the party document: relationships, hooks, goals, tensions, events or secrets
    Party,
    /// The last change of a character's hit points
    Hp,
    /// The last change of a character's gold
    Gold,
    /// The last change of an NPC's trust
    Trust,
    /// Any input or event, by its sequence number
    Number,
    /// The rejection at or before a sequence number
    Rejection,
    /// Why the speaker of a turn was chosen (the choice at or before this number)
    Speaker,
    /// The model reply to the request with this number
    Reply,
}

impl Arguments {
    /// The name, whether it was written in quotation marks or as several words.
    fn name(&self) -> String {
        self.names.join(" ")
    }

    /// Is the answer something else than a tree for people?
    fn is_document(&self) -> bool {
        self.json || self.prompt || self.mermaid || self.dot
    }

    /// Is it asked why the event happened, and not what it was made of?
    fn is_about_the_event(&self) -> bool {
        self.words.is_none() && self.shown.is_none() && !self.prompt && !self.mermaid && !self.dot
    }
}

/// Runs `why`.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (source, loaded) = library.load(&arguments.id)?;
    let explainer = Explainer::new(source.as_ref(), &loaded)?;
    let what = match arguments.what {
        Some(what) if !arguments.names.is_empty() => what,
        what => return listed(source.as_ref(), &loaded, &explainer, arguments, what),
    };
    let name = whole_name(&explainer, source.as_ref(), &loaded, what, arguments.name())?;
    let text = match what {
        What::Goal if arguments.words.is_none() && arguments.shown.is_none() => {
            of_goal(&explainer, &loaded, arguments)?
        }
        what => {
            // A goal of the encounter's file was registered by nobody: what is asked of it is asked of what reached it.
            let of_goal = explainer.goal(&name, 1)?.and_then(|goal| goal.registered.or(goal.resolution));
            let number = match (what, of_goal) {
                (What::Goal, Some(why)) => Number(why.number),
                (what, _) => match number(&explainer, source.as_ref(), what, &name)? {
                    Some(number) => number,
                    None => return Err(unknown(source.as_ref(), &loaded, &explainer, what, &name)?),
                },
            };
            let now = match arguments.is_document() {
                true => String::new(),
                false => now(loaded.campaign.state(), what, &name) + &earlier(what, &name, number),
            };
            let answer = match (what, arguments.is_about_the_event()) {
                (What::Reply, true) => of_reply(&explainer, arguments, number)?,
                _ => of_number(&explainer, arguments, number)?,
            };
            let home = match arguments.is_document() || !arguments.is_about_the_event() {
                true => String::new(),
                false => at_home(library, &explainer, (what, arguments), number)?,
            };
            now + &answer + &home
        }
    };
    match arguments.is_document() {
        true => page_as_it_is(&text)?,
        false => page(&with_numbers(&text))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the kinds of things that can be explained, or the names of one kind.
fn listed(
    source: &dyn Source,
    loaded: &Loaded,
    explainer: &Explainer<'_>,
    arguments: &Arguments,
    what: Option<What>,
) -> Result<ExitCode, Failure> {
    let id = &arguments.id;
    if !arguments.is_about_the_event() {
        let help = "`twicetold why ID` lists the kinds of things, and `twicetold why ID KIND` their names";
        return Err(Failure::new(code::USAGE, "this option needs a name to explain", help));
    }
    let known = match what {
        Some(what) => names::names(what, source, loaded, explainer)?,
        None => names::kinds(source, loaded, explainer)?,
    };
    let text = match (arguments.json, what) {
        (true, _) => data::of(campaign_of(source)?, WhyNames { names: known }),
        (_, Some(what)) => names::list(what, id, &known, loaded.campaign.next()),
        (_, None) => format!(
            "What can be explained:\n{}{DIM}`twicetold why {id} goal` lists the goals, and so on.{DIM:#}\n",
            crate::names::listed(&known)
        ),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn of_goal(explainer: &Explainer<'_>, loaded: &Loaded, arguments: &Arguments) -> Result<String, Failure> {
    let Some(goal) = explainer.goal(&arguments.name(), arguments.depth)? else {
        let known = goal_ids(loaded.campaign.state());
        let help = match known.is_empty() {
            true => "no encounter has begun yet".to_owned(),
            false => format!(
                "{}its goals are {}; `twicetold why-not {} goal {}` explains why this goal does not exist",
                did_you_mean(known.iter().map(String::as_str), &arguments.name()),
                known.join(", "),
                arguments.id,
                arguments.name()
            ),
        };
        return Err(Failure::new(
            code::MISSING,
            format!("this campaign has no goal {:?}", arguments.name()),
            help,
        ));
    };
    if arguments.json {
        return Ok(data::of(campaign_of(explainer.source())?, WhyGoal(goal)));
    }
    let (GoalWhy { registered: Some(why), .. } | GoalWhy { resolution: Some(why), .. }) = &goal else {
        if arguments.prompt || arguments.mermaid || arguments.dot {
            let message = "this goal is defined in the encounter's file and resolved nothing; no model created it, so there is no prompt to show";
            return Err(Failure::new(code::MISSING, message, "leave the option out"));
        }
        return Ok(tree::of_goal(&goal, arguments.full));
    };
    match arguments.is_document() {
        true => drawn(explainer, arguments, why),
        false => Ok(tree::of_goal(&goal, arguments.full)),
    }
}

fn of_number(explainer: &Explainer<'_>, arguments: &Arguments, number: Number) -> Result<String, Failure> {
    if let Some(words) = &arguments.words {
        let trace = explainer.trace(number, words)?;
        if trace.steps.is_empty() {
            let message = format!("the event {number} does not contain the text {words:?}");
            return Err(Failure::new(
                code::MISSING,
                message,
                "`twicetold why ID number N --full` shows its words",
            ));
        }
        return Ok(match arguments.json {
            true => data::of(campaign_of(explainer.source())?, WhyWords(trace)),
            false => tree::of_words(&trace),
        });
    }
    if let Some(fact) = arguments.shown {
        if explainer.why(Number(fact), 0)?.is_none() {
            return Err(missing(&format!("#{fact}")));
        }
        let Some(shown) = explainer.shown(Number(fact), number)? else {
            let message = format!("no model call caused the event {number}");
            return Err(Failure::new(
                code::MISSING,
                message,
                "give the sequence number of a reply or of an event that a reply caused",
            ));
        };
        return Ok(match arguments.json {
            true => data::of(campaign_of(explainer.source())?, WhyShown(shown)),
            false => tree::of_fact(&shown),
        });
    }
    let why = explainer.why(number, arguments.depth)?.ok_or_else(|| barren(number))?;
    match (arguments.json, arguments.prompt || arguments.mermaid || arguments.dot) {
        (true, _) => Ok(data::of(campaign_of(explainer.source())?, Why(why))),
        (_, true) => drawn(explainer, arguments, &why),
        _ => Ok(tree::of_event(&why, arguments.full)),
    }
}

/// The whole reply that an event came of.
fn of_reply(explainer: &Explainer<'_>, arguments: &Arguments, number: Number) -> Result<String, Failure> {
    // The number is that of the first event; the input before it is the reply.
    let input = Number(number.0.saturating_sub(1));
    let reply = explainer.reply(input, arguments.depth)?.ok_or_else(|| missing(&format!("{number}")))?;
    Ok(match arguments.json {
        true => data::of(campaign_of(explainer.source())?, WhyReply(reply)),
        false => tree::of_reply(&reply, arguments.full),
    })
}

/// Says so when what is told lies elsewhere than where it was asked for.
fn earlier(what: What, name: &str, found: Number) -> String {
    let asked = name.trim_start_matches('#').parse().map(Number);
    match (what, asked) {
        (What::Rejection, Ok(asked)) if found < asked => {
            format!("Nothing was rejected at {asked}; the last rejection before it is {found}.\n")
        }
        (What::Rejection, Ok(asked)) if found > asked => {
            format!("The reply at {asked} led to this rejection: {found}.\n")
        }
        _ => String::new(),
    }
}

/// Why a value was as it was when the party brought it along, from the campaign that it comes from; empty where nothing was.
fn at_home(
    library: &Library,
    explainer: &Explainer<'_>,
    (what, arguments): (What, &Arguments),
    number: Number,
) -> Result<String, Failure> {
    let Some(Chain { cause: Cause::Carried { campaign, number }, .. }) = explainer.why(number, 1)? else {
        return Ok(String::new());
    };
    let Ok((source, loaded)) = library.load(&campaign) else {
        return Ok(format!(
            "{DIM}The campaign {campaign:.8} is not in the data folder, so its part of the explanation is missing.{DIM:#}\n"
        ));
    };
    let there = Explainer::new(source.as_ref(), &loaded)?;
    // What is carried names the last change of its bearer; the value itself may be older.
    let found = match subject(what, &arguments.name())? {
        Some(subject) => there.number_until(&subject, Number(number))?,
        None => None,
    };
    let found = found.unwrap_or(Number(number));
    let Some(why) = there.why(found, arguments.depth)? else { return Ok(String::new()) };
    let head = format!("\n{BOLD}In {campaign:.8}, where it comes from{BOLD:#}\n");
    Ok(head + &tree::of_event(&why, arguments.full) + &at_home(library, &there, (what, arguments), found)?)
}

/// The prompt or a diagram.
fn drawn(explainer: &Explainer<'_>, arguments: &Arguments, why: &Chain) -> Result<String, Failure> {
    match (arguments.mermaid, arguments.dot) {
        (true, _) => Ok(graph::mermaid(why)),
        (_, true) => Ok(graph::dot(why)),
        _ => match explainer.prompt(Number(why.number))? {
            Some(rebuilt) => Ok(prompt(&rebuilt)),
            None => {
                let message = "no model call caused this event, so there is no prompt to show";
                Err(Failure::new(code::MISSING, message, "leave --prompt out"))
            }
        },
    }
}

/// What somebody's hit points, gold or trust are now, before it is said why.
fn now(state: &State, what: What, name: &str) -> String {
    let character = state.character_named(name).map(|(_, character)| character);
    let npc = state.npcs().get(name).or_else(|| state.npcs().named(name));
    let (who, value) = match (what, character, npc) {
        (What::Hp, Some(who), _) => {
            (&who.sheet.name, format!("{} of {} hit points", who.hit_points, who.sheet.hit_points))
        }
        (What::Hp, None, Some(who)) => {
            let most = state.npc_hit_points(who);
            (&who.name, format!("{} of {most} hit points", who.hit_points.unwrap_or(most)))
        }
        (What::Gold, Some(who), _) => (&who.sheet.name, format!("{} gold", who.gold)),
        (What::Item, _, _) => return owner(state, name),
        (What::Trust, _, Some(who)) => (&who.name, format!("a trust of {}", who.trust)),
        _ => return String::new(),
    };
    format!("{} has {value} now, since\n", safe(who))
}

/// Which of the DM's characters has a thing that none of the players' has.
fn owner(state: &State, name: &str) -> String {
    let item = fold(name);
    let has = |inventory: &Inventory| inventory.values().any(|(kept, ..)| fold(kept) == item);
    let is_the_party_s = state.characters().values().any(|character| has(&character.inventory));
    match state.npcs().all().find(|npc| !is_the_party_s && has(&npc.inventory)) {
        Some(npc) => format!("{} has it now, since\n", safe(&npc.name)),
        None => String::new(),
    }
}

/// The number of the event that answers for what was named; none where nothing in the journal does.
fn number(
    explainer: &Explainer<'_>,
    source: &dyn Source,
    what: What,
    name: &str,
) -> Result<Option<Number>, Failure> {
    let numbered = || {
        let number = name.trim_start_matches('#').parse().map(Number).map_err(|_| {
            let message = format!("{name:?} is no number");
            Failure::new(code::USAGE, message, "`twicetold log ID` shows the numbers")
        })?;
        let next = source.head().next;
        if number < next {
            return Ok(number);
        }
        Err(missing(&format!("{number}; the journal ends at #{}", next.0.saturating_sub(1))))
    };
    let subject = match (what, subject(what, name)?) {
        (_, Some(subject)) => subject,
        (What::Rejection, _) => Subject::Rejection(numbered()?),
        (What::Speaker, _) => Subject::Speaker(numbered()?),
        (What::Reply, _) => Subject::Reply(numbered()?),
        _ => return numbered().map(Some),
    };
    Ok(explainer.number_of(&subject)?)
}

/// The name of the one thing of which somebody has named a part: "wooden spoon" for "Wooden spoon with a long handle".
fn whole_name(
    explainer: &Explainer<'_>,
    source: &dyn Source,
    loaded: &Loaded,
    what: What,
    name: String,
) -> Result<String, Failure> {
    if !matches!(what, What::Item) || number(explainer, source, what, &name)?.is_some() {
        return Ok(name);
    }
    let part = name.to_lowercase();
    let known = names::names(what, source, loaded, explainer)?;
    // The beginning of a word of it: a pen is no opener.
    let has_it = |one: &String| {
        let one = one.to_lowercase();
        one.match_indices(&part).any(|(at, _)| !one[..at].ends_with(char::is_alphanumeric))
    };
    let mut fits = known.into_iter().map(|one| one.name).filter(has_it);
    Ok(match (fits.next(), fits.next()) {
        (Some(only), None) if part.chars().count() >= PART_MIN => only,
        _ => name,
    })
}

/// Characters of a part of a name: fewer stand in many.
const PART_MIN: usize = 3;

/// Nothing in the journal answers for what was named.
fn unknown(
    source: &dyn Source,
    loaded: &Loaded,
    explainer: &Explainer<'_>,
    what: What,
    name: &str,
) -> Result<Failure, Failure> {
    let (what_it_is, help) = match what {
        What::Npc | What::Trust => ("NPC", "`twicetold why ID npc` lists them"),
        What::Item => ("item", "`twicetold why ID item` lists the items"),
        What::Hp | What::Gold => ("character", "`twicetold why ID hp` lists them"),
        What::Party => ("text in the party document section", "`twicetold show ID party` shows the document"),
        What::Reply => (
            "model reply at",
            "give the sequence number of a ModelCallRequested or ModelReplied (`twicetold why ID reply` lists them)",
        ),
        What::Rejection => ("rejection at or before", "`twicetold why ID rejection` lists the rejections"),
        What::Speaker => ("choice of a speaker at or before", "`twicetold why ID speaker` lists the choices"),
        What::Goal | What::Number => ("event", "`twicetold log ID` shows everything"),
    };
    let known = match what {
        What::Npc | What::Trust | What::Item | What::Hp | What::Gold => {
            names::names(what, source, loaded, explainer)?
        }
        _ => Vec::new(),
    };
    let near = did_you_mean(known.iter().map(|one| one.name.as_str()), name);
    let message = format!("the journal contains no {what_it_is} {name:?}");
    Ok(Failure::new(code::MISSING, message, format!("{near}{help}")))
}

/// What goes by a name, and not by a number.
fn subject(what: What, name: &str) -> Result<Option<Subject>, Failure> {
    Ok(Some(match what {
        What::Party => Subject::Party(section(name)?),
        What::Npc | What::Goal => Subject::Npc(name.to_owned()),
        What::Item => Subject::Item(name.to_owned()),
        What::Hp => Subject::HitPoints(name.to_owned()),
        What::Gold => Subject::Gold(name.to_owned()),
        What::Trust => Subject::Trust(name.to_owned()),
        What::Number | What::Rejection | What::Speaker | What::Reply => return Ok(None),
    }))
}

fn section(name: &str) -> Result<Section, Failure> {
    let named = Section::ALL.into_iter().find(|section| section.name().eq_ignore_ascii_case(name.trim()));
    named.ok_or_else(|| {
        let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
        let near = did_you_mean(names.iter().copied(), name);
        let message = format!("the party document has no section {name:?}");
        Failure::new(code::USAGE, message, format!("{near}its sections are {}", names.join(", ")))
    })
}

/// A number of the journal that is an input without an event: a wait that ended, or a call that failed and is tried again later.
fn barren(number: Number) -> Failure {
    let message = format!("{number} is an input, and no event came of it");
    Failure::new(code::MISSING, message, "`twicetold log ID` shows what it is; ask for a number near it")
}

fn missing(what: &str) -> Failure {
    Failure::new(code::MISSING, format!("there is no {what}"), "`twicetold log ID` shows the numbers")
}

/// The request as it was sent, message by message.
fn prompt(rebuilt: &Rebuilt) -> String {
    let digest = rebuilt.request.digest();
    let verdict = if rebuilt.is_exact() { "as recorded" } else { "NOT the recorded one" };
    let mut out =
        format!("request of {} at {}, digest {digest} ({verdict})\n", rebuilt.requested.call, rebuilt.number);
    for message in &rebuilt.request.messages {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        out += &format!("\n{BOLD}── {role} ──{BOLD:#}\n");
        for part in &message.parts {
            out += &match part {
                Part::Text(text) => format!("{}\n", safe(text)),
                Part::ToolCall(call) => {
                    format!("{DIM}[{} {}]{DIM:#} {}\n", call.id, safe(&call.name), safe(&call.arguments))
                }
                Part::ToolResult(result) => {
                    format!("{DIM}[{}]{DIM:#} {}\n", result.id, safe(&result.content))
                }
                Part::Opaque { vendor, .. } => format!("{DIM}[a block of {}]{DIM:#}\n", safe(vendor)),
            };
        }
    }
    if let Some(form) = &rebuilt.request.reply_schema {
        out += &format!("\n{BOLD}── the reply is held to ──{BOLD:#}\n{}\n", safe(&form.schema));
    }
    let tools: Vec<&str> = rebuilt.request.tools.iter().map(|tool| &*tool.name).collect();
    out += &format!("\n{BOLD}── tools ──{BOLD:#}\n{}\n", tools.join(", "));
    out
}
