//! Plays a campaign and shows it: the story on standard output, progress on standard error, a card at the end.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use textwrap::core::display_width;
use tokio::runtime::Builder;
use twicetold_cast::{BudgetNotice, Stop};
use twicetold_event::{CampaignId, Input, PauseAsked, Seat};
use twicetold_host::play::{Finished, Game, Happened, Table, Told};
use twicetold_host::resuming::{Again, resume};
use twicetold_host::{Error, Library, Sitting};
use twicetold_provider::Webhook;
use twicetold_referee::Campaign;
use twicetold_report::{JsonLines, card_embed};
use twicetold_world::{Life, State};

use crate::attested::Attests;
use crate::data::{Budget, BudgetState, CalledAgain};
use crate::failure::{Failure, code};
use crate::listing::json;
use crate::pace::{Pace, Paced};
use crate::person::{Leaving, Line, Next, Person};
use crate::progress::{self, Progress};
use crate::restored::Restored;
use crate::signals::{StopSignals, threads};
use crate::story::Order;
use crate::terminal::{paragraphs, print, printed, safe};
use crate::traced::{self, LiveTraces, Traces};
use crate::webhook::Poster;
use crate::who::WhoPlays;
use crate::{card, data, story};

/// How much of the story is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// The story, for people.
    Story,
    /// The card at the end alone.
    Card,
    /// One JSON object a line for each event, and one for the end.
    Json,
}

impl Show {
    /// What two flags mean.
    pub fn of(quiet: bool, json: bool) -> Show {
        match (quiet, json) {
            (true, _) => Show::Card,
            (_, true) => Show::Json,
            _ => Show::Story,
        }
    }
}

/// What is done with a campaign beside playing and showing it.
pub struct Beside<'l> {
    /// Where the story is posted while it is played.
    pub webhook: Option<Webhook>,
    /// Where traces are sent while it is played.
    pub traces: Option<Traces<'l>>,
    /// Attests where it stands when play stops.
    pub attests: Attests<'l>,
}

/// A campaign that is to be played and shown.
pub struct Playing<'l> {
    /// The campaign.
    pub game: Game,
    /// How much of the story is shown.
    pub show: Show,
    /// The flag that names the folder of data, where one was named.
    pub flag: String,
    /// The file that keeps the lines of people who play.
    pub typed: PathBuf,
    /// How long a line of theirs waits before it is sent, where they say so.
    pub hold: Option<Duration>,
    /// How fast the story appears.
    pub pace: Option<Pace>,
    /// Is shown what is hidden from the players?
    pub spoilers: bool,
    /// What is done beside.
    pub beside: Beside<'l>,
}

/// How a campaign that goes on is shown.
pub struct Shown<'a> {
    /// How much of the story.
    pub show: Show,
    /// How long a line of people who play waits before it is sent, where they say so.
    pub hold: Option<Duration>,
    /// How fast it appears, where nobody plays.
    pub paced: Option<&'a Paced>,
    /// Is shown what is hidden from the players?
    pub spoilers: bool,
}

/// Goes on with a campaign. `sits` says who takes a seat; whoever else still holds one gives it back.
pub fn go_on(
    library: &Library,
    id: &str,
    Shown { show, hold, paced, spoilers }: Shown<'_>,
    who: &WhoPlays,
    beside: Beside,
    sits: impl FnOnce(&State) -> Result<Option<Sitting>, Error>,
) -> Result<ExitCode, Failure> {
    let campaign = library.find(id)?;
    beside.attests.check(campaign)?;
    let resumed = resume(library, id, &who.asked(), &mut say, |state| Ok(sits(state)?.into_iter().collect()));
    // A process that was killed between the campaign's end and its attestation has left this to be done. Whatever else cannot be
    // resumed is not attested: it may be damaged, or somebody else's play.
    let is_over = |state: &State| matches!(state.life(), Life::Ended { .. });
    if resumed.is_err() && library.load(id).is_ok_and(|(_, loaded)| is_over(loaded.campaign.state())) {
        beside.attests.attest(campaign)?;
    }
    let (game, again) = resumed?;
    if let Some(again) = again {
        made_again(campaign, &again, show == Show::Json)?;
    }
    // Whoever plays reads as they like, and the terminal is theirs.
    let pace = paced.filter(|_| game.sittings.is_empty()).and_then(Paced::pace);
    run(Playing { game, show, flag: library.flag(), typed: library.typed(), hold, pace, spoilers, beside })
}

/// Says what is no mistake, and still to be known.
pub fn say(said: &str) {
    let _ = writeln!(std::io::stderr(), "{said}");
}

/// Says that a call is made a second time: to people on standard error, to programs as a line beside those of the events.
fn made_again(campaign: CampaignId, Again { call, cost }: &Again, json: bool) -> Result<(), Failure> {
    if json {
        return print(&data::of(
            campaign,
            CalledAgain {
                call: call.0,
                may_be_paid_twice: true,
                input_tokens_about: cost.map(|(read, _)| read.into()),
                output_tokens_most: cost.map(|(_, written)| written.into()),
            },
        ));
    }
    let cost = cost.map_or_else(String::new, |(read, written)| {
        format!(" (about {read} tokens to read and at most {written} to write)")
    });
    let _ = writeln!(
        std::io::stderr(),
        "{call} was in flight when the campaign stopped. It is sent again and may be billed twice{cost}."
    );
    Ok(())
}

/// Plays until the campaign ends or is paused.
pub fn run(playing: Playing) -> Result<ExitCode, Failure> {
    let Playing {
        mut game,
        show,
        flag,
        typed,
        hold,
        pace,
        spoilers,
        beside: Beside { webhook, traces, attests },
    } = playing;
    let runtime = threads(Builder::new_multi_thread().worker_threads(2))?;
    runtime.block_on(async {
        let mut signals = StopSignals::heard()?;
        let (id, sitting) = (game.id(), game.sittings.pop());
        let person = sitting.map(|sitting| Person::new(id, sitting, typed, hold)).transpose()?;
        let seat = person.as_ref().map(Person::seat);
        let bar = bar(show);
        let pace = pace.filter(|_| show == Show::Story);
        // A `^C` behind the line of progress would begin another line, and nobody would clear this one. A pace has the terminal to itself,
        // and gives it back.
        let is_shared = std::io::stdin().is_terminal() && !bar.is_hidden() && pace.is_none();
        let terminal = Restored::remember(is_shared);
        terminal.hides_ctrl_c();
        let traces = traces.map(|traces| traces.live(game.campaign(), id)).transpose()?;
        let poster = webhook.map(|webhook| Poster::start(webhook, &bar));
        let pending = game.campaign().state().calls().pending.as_ref();
        let json =
            pending.map_or_else(JsonLines::default, |pending| JsonLines::pending(pending.call, pending.seat));
        let mapping = game.mapping().clone();
        let campaign = game.id();
        let mut watcher = Watcher {
            campaign,
            show,
            flag,
            again: String::new(),
            bar,
            broken: None,
            seat,
            poster,
            traces,
            json,
            pace,
            order: Order::default(),
            spoilers,
            is_cut: false,
            progress: Progress::new(&mapping),
        };
        if let Some(person) = &person {
            watcher.print(&person.welcome(game.campaign()));
        }
        let mut table = Table::begin(game).await?;
        let campaign = table.id();
        let id = campaign.to_string();
        let left = watch(&mut table, &mut watcher, &mut signals, person).await;
        let finished = table.finished().await;
        let rest = watcher.order.rest();
        watcher.print(&rest);
        watcher.bar.finish_and_clear();
        watcher.pace = None;
        let Finished { view, stop, endings } = finished?;
        let attested = attests.attest(campaign);
        let (poster, traces) = (watcher.poster.take(), watcher.traces.take());
        // A text that was cut off has no end that anybody should read.
        let shown = match watcher.broken.take() {
            Some(error) => printed(Err(error)),
            None if watcher.is_cut => {
                let resume = match stop {
                    Stop::Paused => {
                        format!(
                            " The campaign is paused; `twicetold resume {campaign:.8}{}` continues it.",
                            watcher.flag
                        )
                    }
                    Stop::Ended => String::new(),
                };
                let show = format!(
                    "`twicetold show {campaign:.8}{} transcript` prints what was played.",
                    watcher.flag
                );
                say(&paragraphs(&format!("The story is cut here. {show}{resume}"), ""));
                Ok(())
            }
            None => {
                card::print(&view, campaign, show, seat, &endings, &mapping, (&watcher.flag, &watcher.again))
            }
        };
        if let Some(poster) = poster {
            let (state, story) = (view.state(), view.story());
            poster.finish(card_embed(state, story, &id, seat, &endings), &mut signals).await;
        }
        if let Some(traces) = traces {
            traced::finish(traces, &mut signals).await;
        }
        attested?;
        match (stop, left) {
            _ if watcher.is_cut => Ok(ExitCode::from(code::INTERRUPTED)),
            (Stop::Ended, _) | (Stop::Paused, Some(Leaving::Paused)) => shown.map(|()| ExitCode::SUCCESS),
            (Stop::Paused, Some(Leaving::Interrupted)) => Ok(ExitCode::from(code::INTERRUPTED)),
            (Stop::Paused, _) => Ok(ExitCode::from(code::PAUSED)),
        }
    })
}

/// Shows what happens, and asks the person who plays, until nothing more happens; says how somebody left.
async fn watch(
    table: &mut Table,
    watcher: &mut Watcher<'_>,
    signals: &mut StopSignals,
    mut person: Option<Person>,
) -> Option<Leaving> {
    let mut left = None;
    loop {
        // As other programs stop when `head` has seen enough: models may cost money.
        if left.is_none() && watcher.is_closed() {
            (left, person) = (Some(Leaving::Paused), None);
            table.tell(vec![paused("standard output was closed")]);
            watcher.nobody_reads(table.id());
        }
        let next = tokio::select! {
            biased;
            // The table waits for its watcher, and goes no more than a few turns ahead of what is shown.
            happened = table.next(), if !watcher.is_behind() => match happened {
                Some(Happened::Committed(told)) => { watcher.committed(table.view(), &told); continue }
                Some(Happened::Budget(notice)) => { watcher.budget(&notice, table.id()); continue }
                Some(Happened::Asking { call, seat }) => {
                    let asked = person.as_mut().and_then(|person| person.ask(table.view(), call, seat));
                    if let (Some(question), Some(person)) = (asked, &person) {
                        watcher.asks(&question);
                        person.listen();
                    }
                    continue;
                }
                Some(Happened::Drafting { seat, words }) => {
                watcher.drafts(table.view().state(), seat, &words);
                continue;
            }
                None => return left,
            },
            () = watcher.catch_up(), if watcher.is_behind() => continue,
            signal = signals.next(), if left != Some(Leaving::Interrupted) => {
                watcher.cut();
                watcher.bar.set_message("pausing …");
                match &mut person {
                    Some(person) => {
                        watcher.print(&person.drop_held());
                        person.leave(signal, Leaving::Interrupted)
                    }
                    None => Next::Leave(vec![paused(signal)], Leaving::Interrupted),
                }
            }
            (person, line) = said(&mut person) => {
                let (shown, next) = person.heard(table.view(), line);
                watcher.print(&shown);
                match next {
                    Next::Again => person.listen(),
                    Next::Wait => person.wait(),
                    _ => {}
                }
                next
            }
        };
        match next {
            Next::Again | Next::Wait => {}
            Next::Tell(inputs) => {
                watcher.goes_on();
                table.tell(inputs);
            }
            Next::Leave(inputs, leaving) => {
                watcher.goes_on();
                (left, person) = (Some(leaving), None);
                table.tell(inputs);
            }
        }
    }
}

fn paused(reason: &str) -> Input {
    Input::PauseAsked(PauseAsked { reason: reason.to_owned() })
}

/// The next line of the person who plays; never, where nobody does.
async fn said(person: &mut Option<Person>) -> (&mut Person, Line) {
    match person {
        Some(person) => {
            let line = person.line().await;
            (person, line)
        }
        None => std::future::pending().await,
    }
}

struct Watcher<'l> {
    campaign: CampaignId,
    show: Show,
    /// What commands about the campaign have behind its id.
    flag: String,
    /// The budget with which it would go on, where that is what has paused it.
    again: String,
    bar: ProgressBar,
    /// Why standard output takes no more: the campaign is played on in silence, unless whoever read it has closed it.
    broken: Option<std::io::Error>,
    /// Through whose eyes; all of it where nobody plays.
    seat: Option<Seat>,
    /// Posts the story elsewhere.
    poster: Option<Poster>,
    /// Sends traces of it.
    traces: Option<LiveTraces<'l>>,
    /// Makes the JSON.
    json: JsonLines,
    /// How fast the story appears.
    pace: Option<Pace>,
    /// In which order it appears, where nobody plays.
    order: Order,
    /// Is shown what is hidden from the players?
    spoilers: bool,
    /// Was the story stopped before all of it had appeared?
    is_cut: bool,
    /// What the line of progress says.
    progress: Progress,
}

impl Watcher<'_> {
    fn committed(&mut self, view: &Campaign, told: &Told) {
        let state = view.state();
        // Whoever plays sees no more of the story in a channel than at the table.
        let lines = || match self.seat {
            None if !self.spoilers => told.unspoiled(view, None),
            seat => told.lines(view, seat),
        };
        if let Some(poster) = &mut self.poster {
            let posted = if self.spoilers { lines() } else { told.unspoiled(view, self.seat) };
            poster.tell(state, &posted);
        }
        if let Some(traces) = &mut self.traces {
            traces.committed(view, &told.entry);
        }
        let text = match self.show {
            Show::Card => String::new(),
            Show::Story => {
                let lines = lines();
                match self.seat {
                    // Whoever plays must see what the dice showed before they can tell it.
                    Some(seat) if state.turn().seat == Some(seat) => {
                        let shown = lines.iter().map(|line| story::rendered(state, line));
                        self.order.rest() + &shown.collect::<String>()
                    }
                    _ => self.order.told(state, &told.entry, &lines),
                }
            }
            Show::Json => json(&mut self.json, self.campaign, view, &told.entry),
        };
        self.print(&text);
        self.bar.reset_elapsed();
        let line = self.progress.after(view, &told.entry, progress::columns());
        self.bar.set_message(line);
        self.bar.tick();
    }

    /// Says that a budget is nearly or altogether used up: to people on standard error, to programs as a line beside those of the
    /// events. The journal does not hold how much was paid.
    fn budget(&mut self, BudgetNotice { used_up, spent, again }: &BudgetNotice, id: CampaignId) {
        if self.show == Show::Json {
            let state = if *used_up { BudgetState::UsedUp } else { BudgetState::NearlyUsedUp };
            return self.print(&data::of(id, Budget { state, spent: spent.clone(), again: again.clone() }));
        }
        if *used_up {
            self.again = format!(" --budget {again}");
        }
        let flag = &self.flag;
        let line = match used_up {
            true => format!(
                "The budget is used up: {spent}. `twicetold resume {id:.8}{flag} --budget {again}` continues."
            ),
            false => format!("80 % of the budget is used up: {spent}. At the limit the campaign is paused."),
        };
        self.bar.suspend(|| drop(writeln!(std::io::stderr(), "{}", paragraphs(&line, ""))));
    }

    fn print(&mut self, text: &str) {
        if self.is_cut {
            return;
        }
        if let Some(pace) = self.pace.as_mut().filter(|_| !text.is_empty()) {
            // While text appears nothing else may move on the terminal.
            self.bar.disable_steady_tick();
            self.bar.finish_and_clear();
            return pace.add(text);
        }
        if !text.is_empty() && self.broken.is_none() {
            let broken = &mut self.broken;
            self.bar.suspend(|| {
                let mut out = anstream::stdout().lock();
                *broken = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
            });
        }
    }

    /// Has whoever read standard output closed it?
    fn is_closed(&self) -> bool {
        self.broken.as_ref().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    }

    fn nobody_reads(&self, id: CampaignId) {
        let flag = &self.flag;
        let line = format!(
            "Nobody reads standard output any more, so the campaign is paused. `twicetold resume {id:.8}{flag}` continues it; `--quiet` plays without a reader."
        );
        self.bar.suspend(|| drop(writeln!(std::io::stderr(), "{}", paragraphs(&line, ""))));
    }

    /// Is there text that was not shown yet?
    fn is_behind(&self) -> bool {
        self.pace.as_ref().is_some_and(Pace::is_behind)
    }

    /// Shows the text that was not shown yet at its pace.
    async fn catch_up(&mut self) {
        let Some(pace) = &mut self.pace else { return };
        if let Err(error) = pace.show().await {
            (self.broken, self.pace) = (Some(error), None);
        }
        self.goes_on();
    }

    /// Shows no more of a story that appears at a pace: whoever stops it does not want the rest at once.
    fn cut(&mut self) {
        let Some(pace) = self.pace.take() else { return };
        self.is_cut = pace.is_behind();
        if self.is_cut {
            let _ = writeln!(anstream::stdout(), "{}", anstyle::Reset);
        }
        self.goes_on();
    }

    /// The last words of somebody who is speaking. Only the line of progress shows them: what is printed is in the journal.
    fn drafts(&mut self, state: &State, seat: Seat, words: &str) {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let who = format!("turn {} · {}: ", state.turn().number, safe(&state.seat_name(seat)));
        let most = progress::columns().saturating_sub(display_width(&who) + 1).clamp(1, DRAFT_CHARACTERS);
        let from = words.char_indices().rev().nth(most - 1).map_or(0, |(at, _)| at);
        let dots = if from == 0 { "" } else { "…" };
        self.bar.set_message(format!("{who}{dots}{}", safe(&words[from..])));
    }

    /// A person is asked: while they type nothing else may move on their terminal.
    fn asks(&mut self, question: &str) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
        self.print(question);
    }

    fn goes_on(&mut self) {
        self.bar.reset();
        self.bar.enable_steady_tick(TICK);
    }
}

/// So much of what is being said stands in the line of progress: with a name it fits into 80 columns.
const DRAFT_CHARACTERS: usize = 44;

/// How often the progress moves.
const TICK: Duration = Duration::from_millis(120);

fn bar(show: Show) -> ProgressBar {
    let hidden = show == Show::Json || !std::io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    let is_plain = anstream::AutoStream::choice(&std::io::stderr()) == anstream::ColorChoice::Never;
    let style = ProgressStyle::with_template(match is_plain {
        true => "{spinner} {elapsed} {wide_msg}",
        false => "{spinner:.yellow} {elapsed:.dim} {wide_msg:.dim}",
    });
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(TICK);
    progress::shown(&bar);
    bar
}
