//! Promise: every edge that `why` names, from an effect to the call, the reply, the request and the events that the prompt was made of, is
//! in the journal. A slow computation of its own, from the entries alone, finds the same.

use std::collections::BTreeMap;

use twicetold_event::{CallId, Edit, Entry, Event, Input, Item, Number, Seat, Source as From, Text};
use twicetold_journal::{Export, Source};
use twicetold_session::{Cause, Chain, Explainer, entries, load};
use twicetold_tests::{Game, repository};

/// Effects that are wanted, over all kinds. Rare kinds have fewer than their share.
const SAMPLED: usize = 300;

/// The edges of an effect, as both computations can say them.
#[derive(Debug, PartialEq, Eq)]
struct Edges {
    cause: Made,
    /// The number of the request.
    request: Option<u64>,
    /// Bytes of the prompt by the number of the event that they come from.
    sources: BTreeMap<u64, usize>,
}

/// What made it.
#[derive(Debug, PartialEq, Eq)]
enum Made {
    /// A tool call: number of the reply, place of the call, whether it was accepted.
    Call(u64, u16, bool),
    /// Words of a reply: its number and their bytes.
    Words(u64, u32, u32),
    /// Something of a reply was rejected or cut: its number, where there was one.
    Rejected(Option<u64>),
    /// The party brought it along, under this number.
    Carried(u64),
    /// A rule, when this came.
    Rule(u64),
}

/// By the program.
fn told(why: &Chain) -> Edges {
    let cause = match &why.cause {
        Cause::Tool { call, .. } => Made::Call(call.reply, call.index, true),
        Cause::Rejected { call: Some(call), .. } => Made::Call(call.reply, call.index, false),
        Cause::Rejected { said, .. } => Made::Rejected(said.as_ref().map(|said| said.reply)),
        Cause::Words { reply, bytes } => Made::Words(*reply, bytes.0, bytes.1),
        Cause::Carried { number, .. } => Made::Carried(*number),
        Cause::Rule { input, .. } => Made::Rule(*input),
    };
    let mut sources = BTreeMap::new();
    for span in why.request.iter().flat_map(|request| &request.spans) {
        *sources.entry(span.number).or_default() += span.text.len();
    }
    Edges { cause, request: why.request.as_ref().map(|request| request.number), sources }
}

/// By reading all entries from the front for every question.
struct Slow(Vec<Entry>);

impl Slow {
    fn events(&self) -> impl DoubleEndedIterator<Item = (&Entry, u64, &Event)> {
        self.0.iter().flat_map(|entry| {
            let first = entry.header.first.0 + 1;
            (first..)
                .zip(&entry.events)
                .map(move |(number, event)| (entry, number, event))
                .collect::<Vec<_>>()
        })
    }

    fn requested(&self, wanted: CallId) -> Option<(u64, Seat)> {
        // A call that is pending where a branch begins, or whose seat changes, is requested again: the last one was answered.
        self.events().rev().find_map(|(_, number, event)| match event {
            Event::ModelCallRequested(word) if word.call == wanted => Some((number, word.seat)),
            _ => None,
        })
    }

    fn items(&self, number: u64) -> Vec<Item> {
        let (_, _, event) = self.events().find(|(_, at, _)| *at == number).expect("the request is there");
        let Event::ModelCallRequested(word) = event else { panic!("#{number} is a request") };
        let base = word.manifest.base.map(|call| {
            let before = self.events().rev().find(|(_, at, event)| {
                *at < number && matches!(event, Event::ModelCallRequested(other) if other.call == call)
            });
            self.items(before.expect("the base is there").1)
        });
        let base = base.unwrap_or_default();
        let mut items = Vec::new();
        for edit in word.manifest.edits.iter() {
            match edit {
                Edit::Keep { from, count } => {
                    items.extend_from_slice(&base[*from as usize..][..*count as usize])
                }
                Edit::Add(item) => items.push(item.clone()),
            }
        }
        items
    }

    fn answer(&self, wanted: CallId) -> Option<&Entry> {
        self.0.iter().find(|entry| match &entry.input {
            Input::ModelReplied(word) => word.call == wanted,
            Input::PersonAnswered(word) => word.call == wanted,
            _ => false,
        })
    }

    fn edges(&self, number: u64) -> Edges {
        let (mut entry, _, event) = self.events().find(|(_, at, _)| *at == number).expect("it is there");
        let asked = |entry: &Entry| entry.input.call().and_then(|call| self.requested(call));
        let by_memory = asked(entry).is_some_and(|(_, seat)| seat == Seat::Memory);
        if matches!(event, Event::SpeakerChosen(_)) && by_memory {
            let spoken = |(_, at, event): &(&Entry, u64, &Event)| {
                *at < number && matches!(event, Event::MessageSpoken(_))
            };
            entry = self.events().rev().find(spoken).expect("somebody spoke").0;
        }
        let request = asked(entry).map(|(number, _)| number);
        let mut sources = BTreeMap::new();
        for item in request.map(|number| self.items(number)).unwrap_or_default() {
            if let Item::Span(span) = item
                && let From::Event(source) = span.source
            {
                *sources.entry(source.0).or_default() += span.length as usize;
            }
        }
        Edges { cause: self.made(entry, number, event), request, sources }
    }

    fn made(&self, entry: &Entry, number: u64, event: &Event) -> Made {
        let reply =
            |call: Option<CallId>| call.and_then(|call| self.answer(call)).map(|entry| entry.header.first.0);
        match event {
            Event::SpeechCut(word) => return Made::Rejected(reply(Some(word.call))),
            Event::ReplyRejected(_)
            | Event::ReplyIgnored(_)
            | Event::MarkerIgnored(_)
            | Event::MarkerRejected(_)
            | Event::CharacterRejected(_)
            | Event::NpcProfileKept(_) => return Made::Rejected(reply(entry.input.call())),
            _ => {}
        }
        let own = (entry.header.first.0 + 1..).zip(&entry.events).filter(|(at, _)| *at <= number);
        for (at, verdict) in own.collect::<Vec<_>>().into_iter().rev() {
            match verdict {
                Event::ToolAccepted(word) if number <= at + u64::from(word.effects) => {
                    return Made::Call(entry.header.first.0, word.index, true);
                }
                Event::ToolRejected(word) if number == at => {
                    return Made::Call(entry.header.first.0, word.index, false);
                }
                _ => {}
            }
        }
        match event.texts().first() {
            Some(Text::Reply { call, start, end }) => {
                let answer = self.answer(*call).expect("what is spoken was answered");
                Made::Words(answer.header.first.0, *start, *end)
            }
            _ => Made::Rule(entry.header.first.0),
        }
    }
}

#[test]
fn the_edges_of_effects_of_all_kinds_are_those_of_a_separate_computation() {
    let golden = ["combat-and-vices", "corner-cases", "dialogues", "improv-chaos", "qwen-1.5b-guided"];
    let golden = golden.map(|name| {
        let path = repository().join("replays").join(name).join("journal.twicetold");
        Box::new(Export::open(&path).unwrap()) as Box<dyn Source>
    });
    let played = [Game::new(5).chaotic(), Game::new(7).improvised()];
    let sources: Vec<&dyn Source> =
        golden.iter().map(AsRef::as_ref).chain(played.iter().map(|played| played.source())).collect();
    let slow: Vec<Slow> =
        sources.iter().map(|source| Slow(entries(*source).unwrap().map(Result::unwrap).collect())).collect();
    let mut kinds: BTreeMap<&str, Vec<(usize, u64)>> = BTreeMap::new();
    for (place, slow) in slow.iter().enumerate() {
        for (_, number, event) in slow.events() {
            kinds.entry(event.name()).or_default().push((place, number));
        }
    }
    // Of each kind the same share, from all of its places.
    let of_each = SAMPLED.div_ceil(kinds.len());
    let loaded: Vec<_> = sources.iter().map(|source| load(*source).unwrap()).collect();
    let (mut compared, mut with_sources) = (0, 0);
    for (kind, places) in &kinds {
        for sample in 0..of_each.min(places.len()) {
            let (place, number) = places[(2 * sample + 1) * places.len() / (2 * of_each.min(places.len()))];
            let explainer = Explainer::new(sources[place], &loaded[place]).unwrap();
            let why = explainer.why(Number(number), 1).unwrap().unwrap();
            let expected = slow[place].edges(number);
            assert_eq!(told(&why), expected, "{kind} #{number} of journal {place}");
            compared += 1;
            with_sources += usize::from(!expected.sources.is_empty());
        }
    }
    println!("{compared} effects of {} kinds, {with_sources} with a prompt behind them", kinds.len());
    assert!(
        compared >= 200 && with_sources * 2 > compared,
        "{compared} compared, {with_sources} with sources"
    );
}
