//! Plays the campaigns of a sweep side by side, each as if it were alone, within what the whole may cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use twicetold_cast::{Budget, Most, Notice, SharedBudget};
use twicetold_event::{CallId, CampaignId, Input, PauseAsked};
use twicetold_model::Money;
use twicetold_projection::people::{Ledger, Prices};
use twicetold_provider::Servers;
use twicetold_referee::Campaign;
use twicetold_session::{Committed, Session};
use twicetold_sweep::{Card, Cell};

use super::results::{card, of, processors};
use super::{Standing, Sweep, standing};
use crate::mapping::WhoPlays;
use crate::opening::{Ground, Opening, open_on};
use crate::play::{Game, Unwatched};
use crate::prices::prices;
use crate::reading::ledger;
use crate::resuming::resume;
use crate::{Error, Kind, Library};

/// What happens while a sweep is played.
pub enum News {
    /// How the whole stands.
    Stands {
        /// Campaigns that are over.
        done: usize,
        /// Campaigns that are being played.
        running: usize,
        /// Campaigns that cannot go on.
        failed: usize,
        /// What all of them have used, also in earlier runs: calls and tokens.
        calls: u64,
        /// Tokens read and written.
        tokens: u64,
        /// Money and its currency, where the budget is of money.
        money: Option<(Money, String)>,
    },
    /// Something that is no mistake, and still to be known.
    Said(String),
    /// A campaign came to its end.
    Over(CampaignId),
}

/// How a sweep was played.
pub struct Played {
    /// How each campaign stands, in the order of the plan.
    pub standings: Vec<Standing>,
    /// The scores of those that came to their end now, by their place in the plan.
    pub cards: BTreeMap<usize, Card>,
    /// What was used up of the budget; nothing where it was not.
    pub used_up: Option<String>,
}

/// What was spent on a campaign.
#[derive(Clone, Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
    money: Money,
}

struct Run {
    library: Arc<Library>,
    sweep: Arc<Sweep>,
    servers: Arc<Servers>,
    purse: Mutex<Purse>,
    /// So many campaigns are read and scored at a time as there are processors.
    scoring: Semaphore,
    grounds: Mutex<Grounds>,
    stop: watch::Sender<bool>,
    /// Closed when the budget of the sweep is used up: the calls in flight are waited for, and no other is made.
    budget: Arc<SharedBudget>,
    tell: Box<dyn Fn(News) + Send + Sync>,
}

/// How the campaigns stand, and what they have cost.
#[derive(Default)]
struct Purse {
    standings: Vec<Standing>,
    cards: BTreeMap<usize, Card>,
    running: usize,
    spent: BTreeMap<usize, Spent>,
    total: Spent,
    used_up: Option<String>,
    said: Vec<String>,
}

/// What is kept of campaigns that were begun: half a megabyte for each variant. Those of a plan with more variants are read again.
const GROUNDS_MAX: usize = 64;

/// What is kept of them, by campaign and variant.
type Grounds = Vec<((usize, usize), Arc<Ground>)>;

/// Sentences that are told once each, and how many of them.
const SAID_MAX: usize = 20;

/// Plays all campaigns that are not over. When `stopped` is ready, those that are being played are paused.
///
/// # Errors
/// The sweep could not be begun. What goes wrong with one campaign is told of that campaign.
pub async fn play(
    library: Arc<Library>,
    sweep: Arc<Sweep>,
    tell: impl Fn(News) + Send + Sync + 'static,
    stopped: impl Future<Output = ()>,
) -> Result<Played, Error> {
    sweep.keep(&library)?;
    library.ready()?;
    let servers = Arc::new(Servers::new(sweep.plan.per_server));
    let (stop, purse) = (watch::Sender::new(false), Mutex::default());
    let scoring = Semaphore::new(processors());
    let run = Arc::new(Run {
        library,
        sweep: sweep.clone(),
        servers,
        purse,
        scoring,
        grounds: Mutex::default(),
        stop,
        budget: Arc::new(SharedBudget::new(Most::default())),
        tell: Box::new(tell),
    });
    let waiting = {
        let run = run.clone();
        tokio::task::spawn_blocking(move || run.take_stock()).await.map_err(|error| bug(&error))?
    };
    let mut waiting = waiting.into_iter();
    let mut playing = JoinSet::new();
    let mut stopped = std::pin::pin!(stopped);
    let mut is_stopped = false;
    loop {
        while playing.len() < sweep.plan.parallel && !*run.stop.borrow() && !run.budget.is_used_up() {
            let Some(place) = waiting.next() else { break };
            run.change(|purse| purse.running += 1);
            let run = run.clone();
            playing.spawn(async move {
                // A campaign that ends in a panic is one that failed, and no other.
                let played = tokio::spawn(run.clone().campaign(place)).await;
                let standing = played.unwrap_or_else(|error| Standing::Failed(bug(&error).message));
                run.change(|purse| {
                    purse.running -= 1;
                    purse.standings[place] = standing;
                });
            });
        }
        tokio::select! {
            biased;
            () = &mut stopped, if !is_stopped => {
                is_stopped = true;
                run.stop.send_replace(true);
            }
            ended = playing.join_next() => if ended.is_none() { break },
        }
    }
    let mut purse = run.purse();
    Ok(Played {
        standings: std::mem::take(&mut purse.standings),
        cards: std::mem::take(&mut purse.cards),
        used_up: purse.used_up.take(),
    })
}

fn bug(error: &tokio::task::JoinError) -> Error {
    Error::goes_on(format!("this program failed while it played the campaign: {error}"))
}

impl Run {
    /// Looks how the campaigns stand, and what was spent on them: which of them are to be played.
    fn take_stock(&self) -> Vec<usize> {
        let mut waiting = Vec::new();
        for (place, cell) in self.sweep.cells().into_iter().enumerate() {
            let id = self.sweep.id(cell);
            let standing = standing(&self.library, id);
            let spent = match standing {
                Standing::Waiting => None,
                _ => self.spent_before(id).ok(),
            };
            if standing != Standing::Done {
                waiting.push(place);
            }
            self.change(|purse| {
                // What failed is tried again, and counts as failed when it fails again.
                purse.standings.push(match standing {
                    Standing::Failed(_) => Standing::Begun,
                    standing => standing,
                });
                if let Some(spent) = spent {
                    purse.add(place, spent);
                }
            });
        }
        self.check_budget();
        waiting
    }

    fn spent_before(&self, id: CampaignId) -> Result<Spent, Error> {
        let source = self.library.read(id)?;
        let loaded = self.library.view(id).load(&*source)?;
        let mut spent = spent(loaded.campaign.state().calls().total());
        if let Some(currency) = self.currency() {
            let ledger = ledger(&*source, None)?;
            spent.money = ledger.spent_since(CallId(0), &self.library.prices(&*source), currency);
        }
        Ok(spent)
    }

    /// The currency of the budget, where it is of money.
    fn currency(&self) -> Option<&str> {
        let (_, currency) = self.sweep.budget.as_ref()?.money.as_ref()?;
        Some(currency)
    }

    /// Plays one campaign as far as it goes.
    async fn campaign(self: Arc<Run>, place: usize) -> Standing {
        let opened = {
            let run = self.clone();
            tokio::task::spawn_blocking(move || run.game(place)).await
        };
        let (game, prices, ledger) = match opened {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => return Standing::Failed(error.message),
            Err(error) => return Standing::Failed(bug(&error).message),
        };
        // Prices need only its seats, which do not change during play.
        let begun = self.currency().map(|_| game.campaign().clone());
        let budget = game.budget.unwrap_or_default();
        let budget = Some(Budget { shared: Some((self.budget.clone(), prices.clone())), ..budget });
        let game = Game { servers: Some(self.servers.clone()), budget, ..game };
        let (id, table) = (game.id(), Unwatched::begin(game).await);
        let standing = match table {
            Ok(table) => self.watch(place, table, begun, &prices, ledger).await,
            Err(error) => Err(error),
        };
        let standing = standing.unwrap_or_else(|error| Standing::Failed(error.message));
        if standing == Standing::Done {
            (self.tell)(News::Over(id));
            self.score(place, id).await;
        }
        standing
    }

    /// Scores a campaign that is over while others wait for their models. What cannot be scored now is looked at again in the end.
    async fn score(self: &Arc<Run>, place: usize, id: CampaignId) {
        let Ok(_turn) = self.scoring.acquire().await else { return };
        let run = self.clone();
        let scored = tokio::task::spawn_blocking(move || card(&run.library, id)).await;
        if let Ok(Ok(card)) = scored {
            self.purse().cards.insert(place, card);
        }
    }

    async fn watch(
        &self,
        place: usize,
        mut table: Unwatched,
        begun: Option<Campaign>,
        prices: &Prices,
        mut ledger: Ledger,
    ) -> Result<Standing, Error> {
        let mut stop = self.stop.subscribe();
        let mut is_asked = false;
        loop {
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop), if !is_asked => {
                    is_asked = true;
                    table.tell(vec![Input::PauseAsked(PauseAsked { reason: "the sweep was stopped".to_owned() })]);
                }
                happened = table.next() => match happened {
                    Some(Notice::Committed(Committed { entry, spent: total, .. })) => {
                        let mut spent = spent(total);
                        if let (Some(currency), Some(begun)) = (self.currency(), &begun) {
                            ledger.entry(begun.state(), &entry);
                            spent.money = ledger.spent_since(CallId(0), prices, currency);
                        }
                        self.change(|purse| purse.add(place, spent));
                        self.check_budget();
                    }
                    Some(_) => {}
                    None => break,
                },
            }
        }
        let (_, standing) = table.finished(|session: &Session| of(session.campaign().state())).await?;
        Ok(standing)
    }

    /// Opens a campaign, or takes it up where it stands.
    fn game(&self, place: usize) -> Result<(Game, Prices, Ledger), Error> {
        let cells = self.sweep.cells();
        let cell = *cells.get(place).ok_or_else(|| Error::goes_on("the sweep has no such campaign"))?;
        let id = self.sweep.id(cell);
        let mut say = |said: &str| self.say(said);
        let mut spent = Ledger::default();
        let entries = match self.library.read(id) {
            Ok(source) => {
                let entries = source.head().entries;
                if entries > 0 && self.currency().is_some() {
                    spent = ledger(&*source, None)?;
                }
                Some(entries)
            }
            Err(error) if error.kind == Kind::Missing => None,
            Err(error) => return Err(error),
        };
        let game = match entries {
            // A process that was killed before the first entry has left an empty file.
            Some(0) => {
                self.library.remove(id)?;
                self.open(cell)?
            }
            None => self.open(cell)?,
            Some(_) => {
                let who = WhoPlays { config: self.sweep.config.clone(), ..WhoPlays::default() };
                resume(&self.library, &id.to_string(), &who, &mut say, |_| Ok(Vec::new()))?.0
            }
        };
        let prices = prices(&game.mapping);
        Ok((game, prices, spent))
    }

    fn open(&self, cell: Cell) -> Result<Game, Error> {
        let mut say = |said: &str| self.say(said);
        self.sweep.opening(cell, |opening| {
            let ground = self.ground(cell, &opening, &mut say)?;
            open_on(&ground, &self.library, opening, &mut say)
        })
    }

    /// What the campaign of a cell is played with, but for its seed: read once, while others like it are begun.
    fn ground(
        &self,
        cell: Cell,
        opening: &Opening<'_>,
        say: &mut dyn FnMut(&str),
    ) -> Result<Arc<Ground>, Error> {
        let place = (cell.campaign, cell.variant);
        let mut grounds = self.grounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = grounds.iter().find(|(known, _)| *known == place) {
            return Ok(known.clone());
        }
        let ground = Arc::new(Ground::of(&self.library, opening, say)?);
        // One campaign is begun under all seeds by all variants before the next one.
        grounds.retain(|((campaign, _), _)| *campaign == cell.campaign);
        if grounds.len() < GROUNDS_MAX {
            grounds.push((place, ground.clone()));
        }
        Ok(ground)
    }

    fn say(&self, said: &str) {
        let mut purse = self.purse();
        if purse.said.len() < SAID_MAX && !purse.said.iter().any(|known| known == said) {
            purse.said.push(said.to_owned());
            drop(purse);
            (self.tell)(News::Said(said.to_owned()));
        }
    }

    /// Closes the budget when it is used up.
    fn check_budget(&self) {
        let Some(budget) = &self.sweep.budget else { return };
        let mut purse = self.purse();
        let total = purse.total.clone();
        let calls = budget.calls.filter(|most| total.calls >= *most).map(|most| format!("{most} calls"));
        let tokens = budget.tokens.filter(|most| total.tokens >= *most).map(|most| format!("{most} tokens"));
        let money = budget.money.as_ref().and_then(|(most, currency)| {
            let most = Money::of_millionths(*most);
            (total.money >= most).then(|| format!("{} {currency}", most.rounded()))
        });
        if let Some(used_up) = calls.or(tokens).or(money) {
            purse.used_up.get_or_insert(used_up);
            self.budget.close();
        }
    }

    fn change(&self, change: impl FnOnce(&mut Purse)) {
        let mut purse = self.purse();
        change(&mut purse);
        let count = |wanted: fn(&Standing) -> bool| purse.standings.iter().filter(|one| wanted(one)).count();
        let news = News::Stands {
            done: count(|standing| *standing == Standing::Done),
            running: purse.running,
            failed: count(|standing| matches!(standing, Standing::Failed(_))),
            calls: purse.total.calls,
            tokens: purse.total.tokens,
            money: self.currency().map(|currency| (purse.total.money, currency.to_owned())),
        };
        drop(purse);
        (self.tell)(news);
    }

    /// A task that panicked while it held the lock has changed numbers alone.
    fn purse(&self) -> MutexGuard<'_, Purse> {
        self.purse.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Purse {
    /// What a campaign has cost by now.
    fn add(&mut self, place: usize, spent: Spent) {
        self.spent.insert(place, spent);
        self.total = self.spent.values().fold(Spent::default(), |sum, one| Spent {
            calls: sum.calls + one.calls,
            tokens: sum.tokens.saturating_add(one.tokens),
            money: sum.money.plus(one.money),
        });
    }
}

fn spent(total: twicetold_world::Spent) -> Spent {
    Spent {
        calls: u64::from(total.calls),
        tokens: total.input_tokens.saturating_add(total.output_tokens),
        money: Money::default(),
    }
}
