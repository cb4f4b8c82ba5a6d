//! The answers of `why` as trees for a terminal.

use twicetold_session::{Cause, GoalWhy, Origin, RequestWhy, Shown, ToolCallWhy, Trace, Why, WhyNot};

use crate::terminal::{BOLD, DIM, GOLD, GOOD, TROUBLE, paragraphs, safe, short};

/// Steps of the way back that are shown before it is cut short to its beginning.
const TRIGGERS_SHOWN: usize = 6;
/// What is said under every answer.
const LIMIT: &str = "This is what the model was given, what it answered and what the rules made of it; why it chose so, nobody can say.";

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
pub fn of_event(why: &Why, full: bool) -> String {
    let mut out = format!("{GOLD}{}{GOLD:#} #{}, turn {}\n", why.event, why.number, why.turn);
    let text = if full { safe(&why.text) } else { short(&why.text, 400) };
    out += &format!("{}\n", paragraphs(&text, "  "));
    out += "└─ because\n";
    out += &chain(why, full);
    out
}

/// The answer about a goal that there is not.
pub fn of_missing(why_not: &WhyNot, full: bool) -> String {
    let mut out = format!("{GOLD}{}{GOLD:#} is no goal of this campaign.\n", safe(&why_not.goal));
    for why in &why_not.refused {
        out += &format!("└─ #{} it was proposed in turn {}, and refused\n", why.number, why.turn);
        out += &chain(why, full);
    }
    if why_not.refused.is_empty() {
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
fn chain(why: &Why, full: bool) -> String {
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
        Cause::Refused { call, rule, observed, advice } => {
            out += &format!(
                "   ├─ {TROUBLE}refused by {}{TROUBLE:#}: {}\n",
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
        Cause::Rule { input, what } => {
            out += &format!("   └─ decided by the referee at #{input}, when {}\n", safe(what));
        }
    }
    out += &why.request.as_ref().map_or_else(String::new, |asked| request(asked, full));
    out += "         led to by\n";
    let shown = if full { why.triggers.len() } else { why.triggers.len().min(TRIGGERS_SHOWN) };
    for (number, what) in &why.triggers[..shown] {
        out += &format!("         {:>6} {}\n", format!("#{number}"), safe(what));
    }
    if let Some((number, what)) = why.triggers[shown..].last() {
        let steps = why.triggers.len() - shown;
        out += &format!("         … {steps} steps back to #{number}: {}\n", safe(what));
    }
    for source in &why.sources {
        let text = cut(&source.text, 100, full);
        out += &format!("      ─── #{} {BOLD}{}{BOLD:#} {text}\n", source.number, source.event);
        out += &chain(source, full).lines().map(|line| format!("      {line}\n")).collect::<String>();
    }
    if why.request.is_some() && why.sources.is_empty() {
        out += &format!("{DIM}{}{DIM:#}\n", paragraphs(LIMIT, ""));
    }
    out
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
    let (temperature, seed, most) = request.settings;
    let setting =
        |name: &str, value: Option<u32>| value.map_or(String::new(), |value| format!(", {name} {value}"));
    let temperature = temperature
        .map_or(String::new(), |milli| format!(", temperature {}.{:03}", milli / 1000, milli % 1000));
    let mut out = format!(
        "      └─ request #{} to {}, model {}, about {} tokens\n         at most {most} tokens to answer{temperature}{}\n         digest {:.16}…, {exact}\n",
        request.number,
        request.seat,
        safe(&request.model),
        request.tokens,
        setting("seed", seed),
        request.digest
    );
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
