//! The answers of `why` as trees for a terminal.

use std::collections::BTreeSet;

use twicetold_model::Usage;
use twicetold_session::{
    Became, Cause, Chain, EffectWhy, EvidenceWhy, GoalWhy, Origin, ReplyWhy, RequestWhy, Shown, SpanWhy,
    ToolCallWhy, Trace, WhyNot,
};

use super::verdict::{evidence_of, verdict};
use crate::terminal::{BOLD, DIM, GOLD, GOOD, TROUBLE, counted, paragraphs, safe, short};

/// Number of causes that are shown before the list is cut to its beginning.
const TRIGGERS_SHOWN: usize = 6;
/// Events of a prompt that are shown first.
const NEAREST_SHOWN: usize = 3;
/// Characters of each, and of its beginning, which says who speaks, when the sentence that matters stands farther back.
const NEAREST_CHARS: usize = 240;
const HEAD_SHOWN: usize = 48;
/// Characters of the words beside a call, and beside one that cites evidence: how something came about is told there.
const WORDS_CHARS: usize = 240;
const ENDING_CHARS: usize = 1_000;
/// Indentation of the answer about a source.
const SOURCE_INDENT: &str = "      ";
/// The last line of every answer.
const LIMIT: &str = "This shows the model's input, its reply and the rules that were applied. It does not show why the model chose this reply.";
/// The last line if a person replied.
const LIMIT_OF_PEOPLE: &str = "This shows what the person was asked, their reply and the rules that were applied. It does not show why they chose this reply.";

/// The answer about a goal.
pub fn of_goal(goal: &GoalWhy, full: bool) -> String {
    let kind = match (goal.failure, goal.primary) {
        (true, _) => "failure",
        (false, true) => "primary",
        (false, false) => "secondary",
    };
    let mut out = format!("{GOLD}{}{GOLD:#} ({kind})\n{}\n", safe(&goal.goal), paragraphs(&goal.label, "  "));
    out += &verdict(goal).map_or_else(String::new, |verdict| format!("{}\n", paragraphs(&verdict, "")));
    match &goal.registered {
        None => {
            out += &format!(
                "└─ defined in the encounter's file, which is part of the charter; the encounter began at #{}\n",
                goal.encounter_began
            );
        }
        Some(why) => {
            let reason = match &why.cause {
                Cause::Tool { call, .. } => argument(call, "reason"),
                _ => String::new(),
            };
            let because = if reason.is_empty() { "" } else { "; the reason that the model gave" };
            out += &format!("└─ #{} registered in turn {}{because}\n", why.number, why.turn);
            out += &wrapped(&reason, 300, full, "   │    ");
            out += &chain(why, full);
        }
    }
    if let Some(why) = &goal.resolution {
        out += &format!(
            "{GOOD}This goal resolved the encounter{GOOD:#} at #{}, {}\n",
            why.number,
            turn(why.turn)
        );
        let (rest, shown) = rest(goal, why);
        return out
            + "└─ because\n"
            + &decided(goal, full)
            + &summary(why, full)
            + &chain_of(&rest, &shown, full);
    }
    out += &decided(goal, full);
    match goal.resolved {
        Some(number) => {
            out += &format!(
                "{GOOD}This goal resolved the encounter{GOOD:#} at #{number}; `why … number {number}` says how.\n"
            );
        }
        None => out += &format!("{DIM}This goal did not resolve the encounter.{DIM:#}\n"),
    }
    out
}

/// What the rules decided of a goal, and how it stands with the checks that it needs.
fn decided(goal: &GoalWhy, full: bool) -> String {
    let evidence = goal.registered.iter().chain(&goal.resolution).find_map(evidence_of);
    let recorded = evidence.map(|evidence| evidence.recorded.as_slice()).unwrap_or_default();
    let mut out = String::new();
    let line = |number: u64, text: &str| {
        let text = format!("#{number} {}", cut(text, 160, full));
        format!("{}\n", narrow(&text, "   │    ", "   │      "))
    };
    if let Some(struck) = &goal.struck {
        let text = format!("the rules decided it at #{}: {}", struck.number, safe(&struck.reason));
        out += &format!("{}\n", narrow(&text, "   ├─ ", "   │    "));
        out.extend(struck.counted.iter().map(|(number, text)| line(*number, text)));
        out.extend(struck.others.iter().map(|other| {
            let row = |what: &str, checks: &[String]| match checks {
                [] => String::new(),
                checks => format!("; {what}: {}", checks.join(", ")),
            };
            let (passed, missed) = (row("passed", &other.passed), row("not passed", &other.missed));
            let text = format!("{} was not reached{passed}{missed}", other.goal);
            format!("{}\n", narrow(&text, "   │    ", "   │      "))
        }));
    }
    if !goal.needs.is_empty() {
        out += "   ├─ the encounter's file names these checks for it\n";
    }
    for need in &goal.needs {
        out += &match (need.passed, &need.text) {
            (Some(number), Some(text)) => {
                let came = need
                    .came_of
                    .as_deref()
                    .map(|came| format!("the file says of a success: {}", cut(came, 300, full)));
                let came = came.map(|came| format!("{}\n", narrow(&came, "   │      ", "   │      ")));
                line(number, text) + &came.unwrap_or_default()
            }
            _ => match (&need.failed, &need.overtaken) {
                (Some((number, text)), _) => line(*number, text),
                (None, None) => {
                    format!("{}\n", narrow(&format!("never tried: {}", need.check), "   │    ", "   │      "))
                }
                (None, Some(_)) => String::new(),
            },
        };
        if let Some((number, other)) = &need.overtaken {
            let text = format!("not needed any more after \"{other}\" (#{number}): {}", need.check);
            out += &format!("{}\n", narrow(&text, "   │    ", "   │      "));
        }
        // What came about without the check was written down under its name.
        let instead = recorded.iter().filter(|(_, text)| need.passed.is_none() && text.contains(&need.check));
        out.extend(instead.map(|(number, text)| line(*number, &format!("a note speaks of it: {text}"))));
    }
    out
}

/// The same answer without what stands above it already: the checks that the file names, and what was recorded in their place.
fn rest(goal: &GoalWhy, why: &Chain) -> (Chain, Vec<u64>) {
    let mut why = why.clone();
    let passed: BTreeSet<u64> = goal.needs.iter().filter_map(|need| need.passed).collect();
    let Cause::Tool { evidence: Some(evidence), .. } = &mut why.cause else { return (why, Vec::new()) };
    let cited = evidence.cited.iter().map(|one| one.number);
    let shown = cited.filter(|number| passed.contains(number)).collect();
    evidence.cited.retain(|one| !passed.contains(&one.number));
    evidence.recorded.retain(|(_, text)| !goal.needs.iter().any(|need| text.contains(&need.check)));
    if goal.struck.is_some() {
        // The rules decided it: there is nothing that the model had to show.
        evidence.cited.iter_mut().for_each(|one| one.shares_words = None);
    }
    (why, shown)
}

/// How the model itself summed the encounter up.
fn summary(why: &Chain, full: bool) -> String {
    let summary = match &why.cause {
        Cause::Tool { call, .. } => argument(call, "summary"),
        _ => String::new(),
    };
    if summary.is_empty() {
        return summary;
    }
    let text = cut(&summary, 400, full);
    format!("   ├─ summed up by the model\n{}\n", narrow(&text, "   │    ", "   │    "))
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

/// The answer about a reply: its text, the result of each tool call, and the request behind it.
pub fn of_reply(reply: &ReplyWhy, full: bool) -> String {
    let whose =
        reply.why.request.as_ref().map_or_else(String::new, |request| format!(" of {}", request.seat));
    let mut out = format!("{GOLD}reply #{}{GOLD:#}{whose}, {}\n", reply.reply, turn(reply.why.turn));
    out += &match reply.words.trim() {
        "" => "  no text\n".to_owned(),
        words => wrapped(words, 600, full, "  "),
    };
    if !reply.thinking.trim().is_empty() {
        out += "├─ what the model thought; nobody at the table was told\n";
        out += &wrapped(&reply.thinking, 600, full, "│    ");
    }
    for (place, call) in (1..).zip(&reply.calls) {
        out += &format!("├─ tool call {place}: {BOLD}{}{BOLD:#}\n", safe(&call.name));
        out += &wrapped(&call.arguments, 400, full, "│    ");
        out += &match &call.became {
            Became::Accepted { number, effects } => {
                let effects: String =
                    effects.iter().map(|effect| effect_line(effect, "│      ", full)).collect();
                format!("│    {GOOD}accepted{GOOD:#} at #{number}\n{effects}")
            }
            Became::Rejected { number, rule, observed } => format!(
                "│    {TROUBLE}rejected by {}{TROUBLE:#} at #{number}: {}\n",
                safe(rule),
                cut(observed, 160, full)
            ),
            Became::PassedOver {} => "│    skipped: the referee did not process it\n".to_owned(),
        };
    }
    if !reply.rest.is_empty() {
        out += "├─ other events caused by this reply\n";
        out.extend(reply.rest.iter().map(|effect| effect_line(effect, "│    ", full)));
    }
    out += "└─ the reply to\n";
    out + &behind(&reply.why, full)
}

fn effect_line(effect: &EffectWhy, indent: &str, full: bool) -> String {
    let columns = crate::terminal::width().clamp(60, 100);
    let number = format!("#{}", effect.number);
    let text = cut(&effect.text, columns - 42, full);
    format!("{indent}{number:>6} {:<22} {text}\n", effect.event)
}

/// The answer about a goal that does not exist.
pub fn of_missing(why_not: &WhyNot, full: bool) -> String {
    let mut out = format!("{GOLD}{}{GOLD:#} is not a goal of this campaign.\n", safe(&why_not.goal));
    for why in &why_not.rejected {
        out += &format!("└─ #{} it was proposed in turn {}, and rejected\n", why.number, why.turn);
        out += &chain(why, full);
    }
    if why_not.rejected.is_empty() {
        let times = match why_not.answers {
            0 => "the DM never had the tool goal_register".to_owned(),
            answers => {
                format!("the DM had the tool goal_register in {answers} replies and never proposed this goal")
            }
        };
        out += &format!("└─ no proposal: {times}\n");
        if !why_not.proposed.is_empty() {
            let proposed: Vec<String> = why_not.proposed.iter().map(|id| safe(id)).collect();
            out += &format!("   it proposed {}\n", proposed.join(", "));
        }
    }
    out
}

/// The causes of an event, back to #0.
fn chain(why: &Chain, full: bool) -> String {
    chain_of(why, &[], full)
}

/// The same where some of what the model pointed to is `shown` already.
fn chain_of(why: &Chain, shown: &[u64], full: bool) -> String {
    let mut out = String::new();
    match &why.cause {
        Cause::Tool { call, evidence, checks } => {
            let pointed = |evidence| pointed(evidence, shown, call.reply, full);
            out += &evidence.as_ref().map_or_else(String::new, pointed);
            if !checks.is_empty() {
                out += "   ├─ accepted by these rules\n";
            }
            for (rule, observed) in checks {
                let text = format!("{} ({})", cut(observed, 120, full), safe(rule));
                out += &format!("{}\n", narrow(&text, "   │    ", "   │      "));
            }
            out += &tool_call(call, if evidence.is_some() { ENDING_CHARS } else { WORDS_CHARS }, full);
        }
        Cause::Rejected { call, rule, observed, advice, said } => {
            out += &format!(
                "   ├─ {TROUBLE}rejected by {}{TROUBLE:#}: {}\n",
                safe(rule),
                cut(observed, 160, full)
            );
            if !advice.is_empty() {
                out += &format!("   │    the model was told: {}\n", cut(advice, 200, full));
            }
            out += &call.as_ref().map_or_else(String::new, |call| tool_call(call, WORDS_CHARS, full));
            if let Some(said) = said {
                out += &format!("   ├─ in the reply #{}\n", said.reply);
                out += &wrapped(&said.words, 400, full, "   │    ");
            }
        }
        Cause::Words { reply, bytes: (start, end) } => {
            out += &format!("   └─ text of the reply #{reply}, bytes {start} to {end}\n");
        }
        Cause::Carried { campaign, number } => {
            out += &format!("   └─ imported with the party from {campaign:.8} #{number}\n");
        }
        Cause::Rule { input, what } => {
            out += &format!("   └─ decided by the referee at #{input}, when {}\n", safe(what));
        }
    }
    out + &behind(why, full)
}

/// What the model itself pointed to.
fn pointed(evidence: &EvidenceWhy, shown: &[u64], reply: u64, full: bool) -> String {
    let is_shown = !shown.is_empty();
    let above = shown.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ");
    let mut out = match (evidence.supported, evidence.cited.is_empty()) {
        (_, true) if is_shown => format!("   ├─ the model pointed to {above}\n"),
        (true, _) if is_shown => {
            format!("   ├─ the model pointed to {above} and to these; nobody checked that they show it\n")
        }
        (true, _) => "   ├─ the model pointed to these; nobody checked that they show it\n".to_owned(),
        (false, true) => {
            format!(
                "   ├─ {TROUBLE}unsupported{TROUBLE:#}: the model pointed to nothing that happened at the table\n"
            )
        }
        (false, false) => {
            format!(
                "   ├─ {TROUBLE}unsupported{TROUBLE:#}: not all that the model named happened; this did\n"
            )
        }
    };
    for one in &evidence.cited {
        let text = format!("#{} {}", one.number, cut(&one.text, 160, full));
        out += &format!("{}\n", narrow(&text, "   │    ", "   │      "));
    }
    let is_apart = !evidence.cited.is_empty() && !is_shown;
    if is_apart && evidence.cited.iter().all(|one| one.shares_words == Some(false)) {
        let warning = "names apart, it has no telling word in common with the goal or the reason";
        let closest = if evidence.closest.is_some() { "; of what happened, this has most" } else { "" };
        let warning = narrow(&format!("{warning}{closest}"), "   │    ", "   │    ");
        out += &format!("{TROUBLE}{warning}{TROUBLE:#}\n");
        if let Some((number, text)) = &evidence.closest {
            let text = format!("#{number} {}", cut(text, 400, full));
            out += &format!("{}\n", narrow(&text, "   │    ", "   │      "));
        }
    }
    if !evidence.recorded.is_empty() {
        out += "   ├─ recorded in the encounter, with words in common\n";
    }
    for (number, text) in &evidence.recorded {
        let by = if *number > reply { " (by the same reply)" } else { "" };
        let text = format!("#{number}{by} {}", cut(text, 160, full));
        out += &format!("{}\n", narrow(&text, "   │    ", "   │      "));
    }
    out
}

/// The request behind a reply, its causes back to #0, and the same for the events that the request showed.
fn behind(why: &Chain, full: bool) -> String {
    let evidence = match &why.cause {
        Cause::Tool { evidence, .. } => evidence.as_ref(),
        _ => None,
    };
    let mut out = why.request.as_ref().map_or_else(String::new, |asked| request(asked, evidence, full));
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

/// The causes of a request, step by step, back to #0.
fn way(why: &Chain, full: bool) -> String {
    let steps = &why.triggers;
    let shown = if full { steps.len().saturating_sub(1) } else { steps.len().min(TRIGGERS_SHOWN) };
    let mut out = String::from("         asked before it, back to the opening\n");
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

/// Wraps a text so that it still fits the terminal when it is indented once more, below a source.
fn narrow(text: &str, first: &str, others: &str) -> String {
    let width = crate::terminal::width().clamp(40, 100) - SOURCE_INDENT.len();
    let options = textwrap::Options::new(width).initial_indent(first).subsequent_indent(others);
    textwrap::fill(&safe(text), &options)
}

fn tool_call(call: &ToolCallWhy, words_shown: usize, full: bool) -> String {
    let byte = call.byte.map_or_else(String::new, |byte| format!(", byte {byte} of its body"));
    let place = format!("tool call {} of the reply #{}{byte}", call.index + 1, call.reply);
    let mut out = format!("   └─ {BOLD}{}{BOLD:#}, {place}\n", safe(&call.name));
    out += &wrapped(&call.arguments, 400, full, "        ");
    if !call.words.trim().is_empty() {
        out += "        together with this text\n";
        out += &wrapped(
            &excerpt(&call.words, call.nearest_at, words_shown, full),
            words_shown + 2 * HEAD_SHOWN,
            full,
            "          ",
        );
    }
    out
}

/// Is a piece of a prompt one of those that the model pointed to, or that were recorded before?
fn names(evidence: &EvidenceWhy, span: &SpanWhy) -> bool {
    let recorded = evidence.recorded.iter().any(|(number, _)| *number == span.number);
    let is_in = |text: &str| !text.is_empty() && span.text.contains(text.lines().next().unwrap_or_default());
    let closest = evidence.closest.as_ref().is_some_and(|(number, _)| *number == span.number);
    recorded || closest || evidence.cited.iter().any(|one| one.number == span.number || is_in(&one.text))
}

fn request(request: &RequestWhy, evidence: Option<&EvidenceWhy>, full: bool) -> String {
    let exact = match request.exact {
        true => format!("{GOOD}rebuilt exactly{GOOD:#}"),
        false => format!("{TROUBLE}could not be rebuilt exactly{TROUBLE:#}"),
    };
    let settings = match request.settings() {
        settings if settings.is_empty() => settings,
        settings => format!("         {settings}\n"),
    };
    let mut out = format!(
        "      └─ request #{} to {}, {}, about {} tokens\n",
        request.number,
        request.seat,
        safe(&request.answerer()),
        request.tokens,
    );
    out += &nearest(request, evidence, full);
    out += &settings;
    if let Some(Usage { input_tokens, cached_tokens, output_tokens, .. }) =
        request.usage.filter(|usage| usage.input_tokens > 0)
    {
        let cached = match cached_tokens {
            0 => String::new(),
            cached => format!(", {cached} of them cached"),
        };
        out += &format!(
            "         tokens reported by the server: {input_tokens} in the request{cached}, {output_tokens} in the reply\n"
        );
    }
    out += &format!("         digest {:.16}…, {exact}\n", request.digest);
    for (path, bytes) in &request.templates {
        out += &format!("         {bytes} bytes from {}\n", safe(path));
    }
    out += &format!("         {} bytes of table state\n", request.state_bytes);
    if full { out + &events(request) } else { out }
}

/// The events of a prompt that share the most words with what came of it.
fn nearest(request: &RequestWhy, evidence: Option<&EvidenceWhy>, full: bool) -> String {
    let mut out = String::new();
    // What is named above already is not named once more.
    let named = |span: &&SpanWhy| !evidence.is_some_and(|evidence| names(evidence, span));
    let nearest: Vec<&SpanWhy> = request.nearest().into_iter().filter(named).collect();
    let shown = &nearest[..nearest.len().min(NEAREST_SHOWN)];
    if !shown.is_empty() {
        out += "         in the prompt, these other events share the most words with it\n";
    }
    for span in shown {
        let text = format!("{}: {}", span.event, excerpt(&span.text, span.nearest_at, NEAREST_CHARS, full));
        out += &step(span.number, &text);
    }
    let all: BTreeSet<u64> = request.spans.iter().map(|span| span.number).collect();
    match all.len() - shown.len() {
        0 => out,
        rest => {
            let rest = counted(rest as u64, if shown.is_empty() { "event" } else { "other event" });
            let lists = if full { "all are listed below" } else { "`--full` lists all" };
            out + &format!("         and {rest} in the prompt ({lists})\n")
        }
    }
}

/// A text whose sentence at `nearest_at` matters: as much of it as is shown, and its beginning, which says who speaks.
fn excerpt(text: &str, nearest_at: usize, characters: usize, full: bool) -> String {
    let (before, nearest) = text.split_at(nearest_at);
    if full || text.chars().count() <= characters || before.len() < HEAD_SHOWN {
        return cut(text, characters, full);
    }
    format!("{} {}", cut(before, HEAD_SHOWN, false), cut(nearest, characters - HEAD_SHOWN, false))
}

/// All pieces of a prompt that come from events, in its order.
fn events(request: &RequestWhy) -> String {
    let mut out = String::from("         events, in the order of the prompt\n");
    let columns = crate::terminal::width().clamp(60, 120);
    let mut last = None;
    for span in &request.spans {
        let number = if last == Some(span.number) { String::new() } else { format!("#{}", span.number) };
        last = Some(span.number);
        let carried = span.carried.as_ref();
        let carried = carried.map_or_else(String::new, |(id, from)| format!(" (from {id:.8} #{from})"));
        let text = cut(&span.text, columns - 40 - carried.chars().count().min(20), true);
        out += &format!("         {number:>6} {:<22} {text}{carried}\n", span.event);
    }
    out
}

/// An argument of a call that is a text.
fn argument(call: &ToolCallWhy, name: &str) -> String {
    let read: Option<serde_json::Value> = serde_json::from_str(&call.arguments).ok();
    let text = read.and_then(|read| read.get(name)?.as_str().map(str::to_owned));
    text.unwrap_or_default()
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

/// The events through which a text came, back to its origin.
pub fn of_words(trace: &Trace) -> String {
    let mut out = format!("{GOLD}{:?}{GOLD:#}\n", safe(&trace.words));
    for step in &trace.steps {
        out += &format!("├─ #{} {}", step.number, step.event);
        if let (Some(seat), Some(request)) = (&step.seat, step.request) {
            out += &format!(", in the reply of {seat} to the request #{request}");
        }
        out += &match &step.shown_in[..] {
            [] => "\n".to_owned(),
            numbers => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
                format!(
                    ", in whose prompt {} {} it\n",
                    numbers.join(", "),
                    if numbers.len() == 1 { "has" } else { "have" }
                )
            }
        };
    }
    out += &match &trace.origin {
        Origin::Reply { number, seat } => {
            format!(
                "└─ {BOLD}{seat}{BOLD:#} introduced this text in the reply #{number}: its prompt does not contain it\n"
            )
        }
        Origin::File { path, request, seat } => {
            format!(
                "└─ {BOLD}{}{BOLD:#}, a configuration file, is the source: it was part of the request #{request} to {seat}\n",
                safe(path)
            )
        }
        Origin::Input { number, what } => {
            format!("└─ this text first appeared at #{number}, when {}: no model wrote it\n", safe(what))
        }
        Origin::Nowhere => "└─ and cannot be traced further back\n".to_owned(),
    };
    out
}

/// Whether the prompt behind an effect contained an event.
pub fn of_fact(shown: &Shown) -> String {
    let (fact, request, seat) = (shown.fact, shown.request, &shown.seat);
    match (shown.shown, shown.last_shown) {
        (true, _) => format!("#{fact} is in the request #{request} to {seat}.\n"),
        (false, Some(last)) => format!(
            "#{fact} {TROUBLE}is not in{TROUBLE:#} the request #{request} to {seat}; the last that showed it was #{last}.\n"
        ),
        (false, None) => format!(
            "#{fact} {TROUBLE}is not in{TROUBLE:#} the request #{request} to {seat}, and in no earlier request.\n"
        ),
    }
}
