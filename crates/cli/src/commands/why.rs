//! `why`: the chain behind an effect, down to the exact prompt.

use std::process::ExitCode;

use twicetold_model::{Part, Role};
use twicetold_session::{GoalOrigin, GoalWhy, Rebuilt, Registered, goal_ids, why_goal};

use crate::failure::{Failure, code};
use crate::library::Library;
use crate::terminal::{BOLD, DIM, GOLD, GOOD, TROUBLE, json_line, paragraphs, print, safe, short};

/// Says why something happened: the chain from the effect to the tool call, the reply, and the events behind the prompt
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    id: String,

    /// Of what
    #[arg(value_enum)]
    what: What,

    /// Its name: the id of a goal (`show ID goals` lists them)
    name: String,

    /// Print the exact request instead, rebuilt from the journal and checked against its digest
    #[arg(long)]
    prompt: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What can be asked about.
#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// A hidden goal
    Goal,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let What::Goal = arguments.what;
    let (_, source) = crate::source::open(library, &arguments.id)?;
    let Some((why, rebuilt)) = why_goal(source.as_ref(), &arguments.name)? else {
        let known = goal_ids(source.as_ref())?;
        let help = match known.is_empty() {
            true => "no encounter has begun yet".to_owned(),
            false => format!("its goals are {}", known.join(", ")),
        };
        return Err(Failure::new(
            code::MISSING,
            format!("this campaign has no goal {:?}", arguments.name),
            help,
        ));
    };
    let text = match (arguments.prompt, arguments.json, &rebuilt) {
        (true, _, Some(rebuilt)) => prompt(rebuilt),
        (true, _, None) => {
            let message = "this goal is of the encounter's specification: no prompt stands behind it";
            return Err(Failure::new(code::MISSING, message, "leave --prompt out"));
        }
        (false, true, _) => json_line(&why),
        (false, false, _) => tree(&why),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn tree(why: &GoalWhy) -> String {
    let kind = if why.primary { "primary" } else { "secondary" };
    let mut out = format!("{GOLD}{}{GOLD:#} ({kind})\n{}\n", safe(&why.goal), paragraphs(&why.label, "  "));
    match &why.origin {
        GoalOrigin::Specification { encounter_began } => {
            out += &format!(
                "└─ of the encounter's specification, in the charter since the opening; the encounter began at #{encounter_began}\n"
            );
        }
        GoalOrigin::Registered(registered) => out += &chain(registered),
    }
    match why.resolved {
        Some(number) => out += &format!("{GOOD}The encounter was resolved by it{GOOD:#} at #{number}.\n"),
        None => out += &format!("{DIM}The encounter was not resolved by it.{DIM:#}\n"),
    }
    out
}

fn chain(registered: &Registered) -> String {
    let call = &registered.tool_call;
    let request = &registered.request;
    let mut out =
        format!("└─ #{} registered, because: {}\n", registered.number, short(&registered.reason, 300));
    out += "   ├─ let through by\n";
    for (rule, observed) in &registered.checks {
        out += &format!("   │    {rule}: {}\n", short(observed, 120));
    }
    let byte = call.byte.map_or_else(String::new, |byte| format!(", byte {byte} of its body"));
    out += &format!(
        "   └─ {BOLD}{}{BOLD:#}, tool call {} of the reply #{}{byte}\n",
        safe(&call.name),
        call.index + 1,
        call.reply
    );
    out += &format!("        {}\n", short(&call.arguments, 400));
    if !call.words.trim().is_empty() {
        out += &format!("        beside the words: {}\n", short(&call.words, 200));
    }
    let exact = if request.exact {
        format!("{GOOD}rebuilt exactly{GOOD:#}")
    } else {
        format!("{TROUBLE}could not be rebuilt exactly{TROUBLE:#}")
    };
    out += &format!(
        "      └─ request #{} to {}, model {}, about {} tokens\n         digest {:.16}…, {exact}\n",
        request.number,
        request.seat,
        safe(&request.model),
        request.tokens,
        request.digest
    );
    out += &format!(
        "         {} bytes of templates, {} bytes of table state, and these events:\n",
        request.charter_bytes, request.state_bytes
    );
    let mut last = None;
    for span in &request.spans {
        let number = if last == Some(span.number) { String::new() } else { format!("#{}", span.number) };
        last = Some(span.number);
        let carried = span.carried.as_ref();
        let carried = carried.map_or_else(String::new, |(id, from)| format!(" (from {:.8} #{from})", id));
        out += &format!("         {number:>6} {:<22} {}{carried}\n", span.event, short(&span.text, 90));
    }
    out += "         led to by\n";
    let shown = registered.triggers.len().min(TRIGGERS_SHOWN);
    for (number, what) in &registered.triggers[..shown] {
        out += &format!("         {:>6} {}\n", format!("#{number}"), safe(what));
    }
    if let Some((number, what)) = registered.triggers[shown..].last() {
        out += &format!(
            "         … {} steps back to #{number}: {}\n",
            registered.triggers.len() - shown,
            safe(what)
        );
    }
    out += &format!(
        "{DIM}This is what the model was given, what it answered and what the rules made of it; why it chose so, nobody can say.{DIM:#}\n"
    );
    out
}

/// Steps of the chain that are shown before it is cut short to its beginning.
const TRIGGERS_SHOWN: usize = 6;

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
    let tools: Vec<&str> = rebuilt.request.tools.iter().map(|tool| tool.name.as_str()).collect();
    out += &format!("\n{BOLD}── tools ──{BOLD:#}\n{}\n", tools.join(", "));
    out
}
