//! The answers of `why` as trees for a terminal.

use twicetold_model::Usage;
use twicetold_session::{
    Became, Cause, Chain, EffectWhy, GoalWhy, Origin, ReplyWhy, RequestWhy, Shown, ToolCallWhy, Trace, WhyNot,
};

use crate::terminal::{BOLD, DIM, GOLD, GOOD, TROUBLE, paragraphs, safe, short};

/// Steps of the way back that are shown before it is cut short to its beginning.
const TRIGGERS_SHOWN: usize = 6;
/// How far the answer about a source is moved in.
const SOURCE_INDENT: &str = "      ";
/// What is said under every answer.
const LIMIT: &str = "This is what the model was given, what it answered and what the rules made of it; why it chose so, nobody can say.";
/// The same where a person answered.
const LIMIT_OF_PEOPLE: &str = "This is what the person was asked, what they answered and what the rules made of it; why they chose so, they alone can say.";

/// The answer about a goal.
pub fn of_goal(goal: &GoalWhy, full: bool) -> String {
    let kind = if goal.primary { "primary" } else { "secondary" };
    let mut out = format!("{GOLD}{}{GOLD:#} ({kind})\n{}\n", safe(&goal.goal), paragraphs(&goal.label, "  "));
    match &goal.registered {
        None => {
            out += &format!(
                "└─ of the encounter's specification, in the charter since the opening; the encounter began at #{}\n",
                goal.encounter_began
            );
        }
        Some(why) => {
            let reason = match &why.cause {
                Cause::Tool { call, .. } => reason(call),
                _ => String::new(),
            };
            let because = if reason.is_empty() { "" } else { ", because" };
            out += &format!("└─ #{} registered in turn {}{because}\n", why.number, why.turn);
            out += &wrapped(&reason, 300, full, "   │    ");
            out += &chain(why, full);
        }
    }
    match goal.resolved {
        Some(number) => out += &format!("{GOOD}The encounter was resolved by it{GOOD:#} at #{number}.\n"),
        None => out += &format!("{DIM}The encounter was not resolved by it.{DIM:#}\n"),
    }
    out
}

/// The answer about an event.
pub fn of_event(why: &Chain, full: bool) -> String {
    let mut out = format!("{GOLD}{}{GOLD:#} #{}, {}\n", why.event, why.number, turn(why.turn));
    let text = if full { safe(&why.text) } else { short(&why.text, 400) };
    out += &format!("{}\n", paragraphs(&text, "  "));
    out += "└─ because\n";
    out += &chain(why, full);
    out
}

fn turn(number: u32) -> String {
    match number {
        0 => "before the first turn".to_owned(),
        number => format!("turn {number}"),
    }
}

/// The answer about a reply: its words, what became of its tool calls, and what it answered.
pub fn of_reply(reply: &ReplyWhy, full: bool) -> String {
    let whose =
        reply.why.request.as_ref().map_or_else(String::new, |request| format!(" of {}", request.seat));
    let mut out = format!("{GOLD}reply #{}{GOLD:#}{whose}, {}\n", reply.reply, turn(reply.why.turn));
    out += &match reply.words.trim() {
        "" => "  without words\n".to_owned(),
        words => wrapped(words, 600, full, "  "),
    };
    for (place, call) in (1..).zip(&reply.calls) {
        out += &format!("├─ tool call {place}: {BOLD}{}{BOLD:#}\n", safe(&call.name));
        out += &wrapped(&call.arguments, 400, full, "│    ");
        out += &match &call.became {
            Became::Accepted { number, effects } => {
                let effects: String =
                    effects.iter().map(|effect| effect_line(effect, "│      ", full)).collect();
                format!("│    {GOOD}let through{GOOD:#} at #{number}\n{effects}")
            }
            Became::Rejected { number, rule, observed } => format!(
                "│    {TROUBLE}rejected by {}{TROUBLE:#} at #{number}: {}\n",
                safe(rule),
                cut(observed, 160, full)
            ),
            Became::PassedOver => "│    passed over: nobody looked at it\n".to_owned(),
        };
    }
    if !reply.rest.is_empty() {
        out += "├─ what else came of it\n";
        out.extend(reply.rest.iter().map(|effect| effect_line(effect, "│    ", full)));
    }
    out += "└─ an answer to\n";
    out + &behind(&reply.why, full)
}

fn effect_line(effect: &EffectWhy, indent: &str, full: bool) -> String {
    let columns = textwrap::termwidth().clamp(60, 100);
    let number = format!("#{}", effect.number);
    let text = cut(&effect.text, columns - 42, full);
    format!("{indent}{number:>6} {:<22} {text}\n", effect.event)
}

/// The answer about a goal that there is not.
pub fn of_missing(why_not: &WhyNot, full: bool) -> String {
    let mut out = format!("{GOLD}{}{GOLD:#} is no goal of this campaign.\n", safe(&why_not.goal));
    for why in &why_not.rejected {
        out += &format!("└─ #{} it was proposed in turn {}, and rejected\n", why.number, why.turn);
        out += &chain(why, full);
    }
    if why_not.rejected.is_empty() {
        let times = match why_not.answers {
            0 => "the DM was never offered to register a goal".to_owned(),
            answers => format!("the DM could have registered it in {answers} answers and never tried"),
        };
        out += &format!("└─ nobody asked for it: {times}\n");
        if !why_not.proposed.is_empty() {
            let proposed: Vec<String> = why_not.proposed.iter().map(|id| safe(id)).collect();
            out += &format!("   it proposed {}\n", proposed.join(", "));
        }
    }
    out
}

/// From the cause back to the opening.
fn chain(why: &Chain, full: bool) -> String {
    let mut out = String::new();
    match &why.cause {
        Cause::Tool { call, checks } => {
            if !checks.is_empty() {
                out += "   ├─ let through by\n";
            }
            for (rule, observed) in checks {
                out += &format!("   │    {}: {}\n", safe(rule), cut(observed, 120, full));
            }
            out += &tool_call(call, full);
        }
        Cause::Rejected { call, rule, observed, advice } => {
            out += &format!(
                "   ├─ {TROUBLE}rejected by {}{TROUBLE:#}: {}\n",
                safe(rule),
                cut(observed, 160, full)
            );
            if !advice.is_empty() {
                out += &format!("   │    the model was told: {}\n", cut(advice, 200, full));
            }
            out += &call.as_ref().map_or_else(String::new, |call| tool_call(call, full));
        }
        Cause::Words { reply, bytes: (start, end) } => {
            out += &format!("   └─ words of the reply #{reply}, bytes {start} to {end} of what it says\n");
        }
        Cause::Carried { campaign, number } => {
            out += &format!("   └─ brought along from {campaign:.8} #{number}\n");
        }
        Cause::Rule { input, what } => {
            out += &format!("   └─ decided by the referee at #{input}, when {}\n", safe(what));
        }
    }
    out + &behind(why, full)
}

/// The request that was answered, the way back to the opening, and the same of what the request showed.
fn behind(why: &Chain, full: bool) -> String {
    let mut out = why.request.as_ref().map_or_else(String::new, |asked| request(asked, full));
    out += &way(why, full);
    for source in &why.sources {
        let text = cut(&source.text, 100, full);
        out += &format!("      ─── #{} {BOLD}{}{BOLD:#} {text}\n", source.number, source.event);
        out +=
            &chain(source, full).lines().map(|line| format!("{SOURCE_INDENT}{line}\n")).collect::<String>();
    }
    if let Some(request) = why.request.as_ref().filter(|_| why.sources.is_empty()) {
        let limit = if request.person.is_some() { LIMIT_OF_PEOPLE } else { LIMIT };
        out += &format!("{DIM}{}{DIM:#}\n", paragraphs(limit, ""));
    }
    out
}

/// What led to it, step by step, back to the opening.
fn way(why: &Chain, full: bool) -> String {
    let steps = &why.triggers;
    let shown = if full { steps.len().saturating_sub(1) } else { steps.len().min(TRIGGERS_SHOWN) };
    let mut out = String::from("         led to by\n");
    for (number, what) in &steps[..shown] {
        out += &step(*number, what);
    }
    if let Some((number, what)) = steps[shown..].last() {
        // The last is the opening; what is not shown lies before it.
        out += &match why.left_out + (steps.len() - shown) as u64 {
            1 => step(*number, what),
            back => {
                let text = format!("… {back} steps back to #{number}: {what}");
                format!("{}\n", narrow(&text, "         ", "           "))
            }
        };
    }
    out
}

fn step(number: u64, what: &str) -> String {
    let first = format!("         {:>6} ", format!("#{number}"));
    format!("{}\n", narrow(what, &first, "                "))
}

/// A text on lines that still fit the terminal when they are moved in once more, below a source.
fn narrow(text: &str, first: &str, others: &str) -> String {
    let width = textwrap::termwidth().clamp(40, 100) - SOURCE_INDENT.len();
    let options = textwrap::Options::new(width).initial_indent(first).subsequent_indent(others);
    textwrap::fill(&safe(text), &options)
}

fn tool_call(call: &ToolCallWhy, full: bool) -> String {
    let byte = call.byte.map_or_else(String::new, |byte| format!(", byte {byte} of its body"));
    let place = format!("tool call {} of the reply #{}{byte}", call.index + 1, call.reply);
    let mut out = format!("   └─ {BOLD}{}{BOLD:#}, {place}\n", safe(&call.name));
    out += &wrapped(&call.arguments, 400, full, "        ");
    if !call.words.trim().is_empty() {
        out += "        beside the words\n";
        out += &wrapped(&call.words, 200, full, "          ");
    }
    out
}

fn request(request: &RequestWhy, full: bool) -> String {
    let exact = match request.exact {
        true => format!("{GOOD}rebuilt exactly{GOOD:#}"),
        false => format!("{TROUBLE}could not be rebuilt exactly{TROUBLE:#}"),
    };
    let settings = match request.settings() {
        settings if settings.is_empty() => settings,
        settings => format!("         {settings}\n"),
    };
    let mut out = format!(
        "      └─ request #{} to {}, {}, about {} tokens\n{}",
        request.number,
        request.seat,
        safe(&request.answerer()),
        request.tokens,
        settings
    );
    if let Some(Usage { input_tokens, cached_tokens, output_tokens }) =
        request.usage.filter(|usage| usage.input_tokens > 0)
    {
        let cached = match cached_tokens {
            0 => String::new(),
            cached => format!(", {cached} of them cached"),
        };
        out += &format!(
            "         the server counted {input_tokens} tokens{cached}, and {output_tokens} of the answer\n"
        );
    }
    out += &format!("         digest {:.16}…, {exact}\n", request.digest);
    for (path, bytes) in &request.templates {
        out += &format!("         {bytes} bytes by {}\n", safe(path));
    }
    out += &format!("         {} bytes of table state, and these events:\n", request.state_bytes);
    let columns = textwrap::termwidth().clamp(60, 120);
    let mut last = None;
    for span in &request.spans {
        let number = if last == Some(span.number) { String::new() } else { format!("#{}", span.number) };
        last = Some(span.number);
        let carried = span.carried.as_ref();
        let carried = carried.map_or_else(String::new, |(id, from)| format!(" (from {id:.8} #{from})"));
        let text = cut(&span.text, columns - 40 - carried.chars().count().min(20), full);
        out += &format!("         {number:>6} {:<22} {text}{carried}\n", span.event);
    }
    out
}

/// The reason that a model gave.
fn reason(call: &ToolCallWhy) -> String {
    let read: Option<serde_json::Value> = serde_json::from_str(&call.arguments).ok();
    let reason = read.and_then(|read| read.get("reason")?.as_str().map(str::to_owned));
    reason.unwrap_or_default()
}

/// A text on lines of its own, cut unless all of it is wanted.
fn wrapped(text: &str, width: usize, full: bool, indent: &str) -> String {
    if text.trim().is_empty() {
        String::new()
    } else {
        format!("{}\n", paragraphs(&cut(text, width, full), indent))
    }
}

/// A text on one line, cut unless all of it is wanted.
fn cut(text: &str, width: usize, full: bool) -> String {
    short(text, if full { usize::MAX } else { width })
}

/// The way of words back to where they came up.
pub fn of_words(trace: &Trace) -> String {
    let mut out = format!("{GOLD}{:?}{GOLD:#}\n", safe(&trace.words));
    for step in &trace.steps {
        out += &format!("├─ #{} {}", step.number, step.event);
        if let (Some(seat), Some(request)) = (&step.seat, step.request) {
            out += &format!(", of the answer of {seat} to the request #{request}");
        }
        out.push('\n');
    }
    out += &match &trace.origin {
        Origin::Reply { number, seat } => {
            format!(
                "└─ {BOLD}{seat}{BOLD:#} brought them up in the reply #{number}: nothing that it was shown has them\n"
            )
        }
        Origin::File { path, request, seat } => {
            format!(
                "└─ {BOLD}{}{BOLD:#}, a file of the configuration, put them before {seat} in the request #{request}\n",
                safe(path)
            )
        }
        Origin::Input { number, what } => {
            format!("└─ they came up at #{number}, when {}: no model said them\n", safe(what))
        }
        Origin::Nowhere => "└─ and before that they cannot be followed\n".to_owned(),
    };
    out
}

/// Whether a fact was before the eyes of whoever caused an effect.
pub fn of_fact(shown: &Shown) -> String {
    let (fact, request, seat) = (shown.fact, shown.request, &shown.seat);
    match (shown.shown, shown.last_shown) {
        (true, _) => format!("#{fact} stood in the request #{request} to {seat}.\n"),
        (false, Some(last)) => format!(
            "#{fact} {TROUBLE}did not stand{TROUBLE:#} in the request #{request} to {seat}; the last that showed it was #{last}.\n"
        ),
        (false, None) => format!(
            "#{fact} {TROUBLE}did not stand{TROUBLE:#} in the request #{request} to {seat}, nor in those before it.\n"
        ),
    }
}
