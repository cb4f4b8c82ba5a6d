//! What may be spent on a campaign here: as somebody asks for it, as it is kept beside the campaign, and as the table keeps to it.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twicetold_cast::{Budget, Limit, Meter, MoneyBudget, Most, SharedBudget};
use twicetold_event::{CallId, CampaignId, Millis, Seat};
use twicetold_journal::Source;
use twicetold_model::{MILLION, Money, millionths};
use twicetold_projection::people::Prices;
use twicetold_world::State;
use twicetold_world::setup::SeatsFile;

use crate::configuration::Configuration;
use crate::mapping::{Mapping, WhoPlays};
use crate::prices::prices;
use crate::reading::ledger;
use crate::seats::chairs;
use crate::{Error, Kind, words};

/// Totals of the whole campaign at which it is paused, as its mapping keeps them. Time is of one run, and is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// Calls.
    calls: u64,
    /// Tokens of requests and replies.
    tokens: u64,
    /// Calls that had been made when this was allowed.
    #[serde(default)]
    calls_before: u64,
    /// Tokens that had been spent when this was allowed.
    #[serde(default)]
    tokens_before: u64,
    /// Money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    money: Option<AllowedMoney>,
}

/// Money that may be spent. What was spent of it is in the journal's answers, and is kept nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowedMoney {
    /// Millionths of the currency's unit.
    millionths: u64,
    currency: String,
    /// The first call that is paid from it.
    first_call: u32,
}

/// More calls or tokens than these are no limit, and the most that a TOML file holds.
const UNLIMITED: u64 = u64::MAX >> 1;

/// What a campaign has spent so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    calls: u64,
    tokens: u64,
    /// The next call that will be paid.
    next: CallId,
}

impl Spent {
    pub(crate) fn of(state: &State) -> Spent {
        let (calls, total) = (state.calls(), state.calls().total());
        Spent {
            calls: total.calls.into(),
            tokens: total.input_tokens.saturating_add(total.output_tokens),
            next: calls.pending.as_ref().map_or(calls.next, |pending| pending.call),
        }
    }
}

/// What may be spent, as somebody asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    pub(crate) calls: Option<u64>,
    pub(crate) tokens: Option<u64>,
    pub(crate) time_ms: Option<u64>,
    pub(crate) money: Option<(u64, String)>,
}

/// Whether models may be asked that can cost money.
#[derive(Clone, Debug, Default)]
pub enum Spending {
    /// As far as the budget of each campaign allows.
    #[default]
    Each,
    /// None of them: a campaign with such a model at a seat that nobody else holds is not played.
    Nothing,
    /// As far as one budget of several campaigns allows.
    Shared(Arc<SharedBudget>),
}

/// What a unit counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Calls,
    Tokens,
    Time,
}

/// The units besides currencies, and how many of what is counted they are.
const UNITS: [(&str, Unit, u64); 9] = [
    ("calls", Unit::Calls, 1),
    ("call", Unit::Calls, 1),
    ("tok", Unit::Tokens, 1),
    ("tokens", Unit::Tokens, 1),
    ("ktok", Unit::Tokens, 1_000),
    ("Mtok", Unit::Tokens, 1_000_000),
    ("s", Unit::Time, 1_000),
    ("min", Unit::Time, 60_000),
    ("h", Unit::Time, 3_600_000),
];

/// What is possible, for errors.
const POSSIBLE: &str = "calls, tok, ktok, Mtok, s, min, h and the currency of your prices (write for example 400calls or 0.50usd)";

/// `did you mean "calls"? `, where a known unit is near.
fn did_you_mean(unit: &str) -> String {
    words::did_you_mean(UNITS.iter().map(|(known, ..)| *known), unit)
}

fn is_currency(unit: &str) -> bool {
    unit.len() == 3 && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
}

impl Spend {
    /// Reads an amount: `400calls`, `200ktok`, `30min`, `0.50usd`, or several with commas between.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Spend, String> {
        let mut spend = Spend::default();
        for part in text.split(',').map(str::trim) {
            let digits = part.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(part.len());
            let (number, unit) = part.split_at(digits);
            let unit = unit.trim();
            let amount = millionths(number).ok_or_else(|| {
                format!(
                    "{part:?} must start with a number of at most six decimals, for example 400calls or 0.50usd"
                )
            })?;
            let twice = match UNITS.iter().find(|(known, ..)| *known == unit) {
                Some((_, kind, factor)) => {
                    let slot = match kind {
                        Unit::Calls => &mut spend.calls,
                        Unit::Tokens => &mut spend.tokens,
                        Unit::Time => &mut spend.time_ms,
                    };
                    slot.replace(whole(amount, *factor).ok_or_else(|| {
                        format!("{part:?} is not a whole number, or is more than can be counted")
                    })?)
                    .is_some()
                }
                None if is_currency(unit) => {
                    spend.money.replace((amount, unit.to_ascii_lowercase())).is_some()
                }
                None => {
                    return Err(format!(
                        "there is no unit {unit:?}: {}the units are {POSSIBLE}",
                        did_you_mean(unit)
                    ));
                }
            };
            if twice {
                return Err(format!("{part:?} limits what another part of {text:?} limits already"));
            }
        }
        Ok(spend)
    }

    /// A budget of several campaigns, of which nothing is spent yet.
    ///
    /// # Errors
    /// It limits time, which belongs to one run of one campaign.
    pub fn shared(&self) -> Result<SharedBudget, Error> {
        if self.time_ms.is_some() {
            let message = "a budget of several campaigns cannot limit time";
            return Err(Error::new(
                Kind::Usage,
                message,
                "limit calls, tokens or money: 400calls or 0.50usd",
            ));
        }
        let money = self.money.clone().map(|(amount, currency)| (Money::of_millionths(amount), currency));
        Ok(SharedBudget::new(Most { calls: self.calls, tokens: self.tokens, money }))
    }

    /// What the player's own limits allow a campaign.
    pub(crate) fn of_limits(config: Option<&Path>) -> Result<Spend, Error> {
        let configuration =
            config.map_or_else(|| Ok(Configuration::bundled()), Configuration::with_folder)?;
        let text = configuration.text("limits.toml").cloned().unwrap_or_default();
        let table: toml::Table = text.parse().unwrap_or_default();
        let number = |name: &str| table.get(name)?.as_integer().and_then(|number| u64::try_from(number).ok());
        Ok(Spend { calls: number("calls_max"), tokens: number("tokens_max"), ..Spend::default() })
    }

    /// Totals of a campaign that has spent so much already; nothing where time alone is limited, which changes no other limit.
    pub(crate) fn on_top_of(&self, spent: &Spent) -> Option<Allowed> {
        if self.calls.is_none() && self.tokens.is_none() && self.money.is_none() {
            return None;
        }
        let sum = |spent: u64, more: Option<u64>| {
            more.map_or(UNLIMITED, |more| spent.saturating_add(more).min(UNLIMITED))
        };
        let money = self.money.as_ref().map(|(millionths, currency)| AllowedMoney {
            millionths: (*millionths).min(UNLIMITED),
            currency: currency.clone(),
            first_call: spent.next.0,
        });
        Some(Allowed {
            calls: sum(spent.calls, self.calls),
            tokens: sum(spent.tokens, self.tokens),
            calls_before: spent.calls,
            tokens_before: spent.tokens,
            money,
        })
    }
}

/// So many millionths of a unit, where that is a whole number of what is counted.
fn whole(millionths: u64, factor: u64) -> Option<u64> {
    let counted = u128::from(millionths) * u128::from(factor);
    let million = u128::from(MILLION);
    (counted % million == 0).then(|| u64::try_from(counted / million).ok())?
}

/// How far a campaign may be played here. Of one that is gone on with, `journal` is what was played.
pub(crate) fn budget(
    mapping: &Mapping,
    seats: &SeatsFile,
    who: &WhoPlays,
    journal: Option<&dyn Source>,
) -> Result<Option<Budget>, Error> {
    let time_ms = who.budget.as_ref().and_then(|spend| spend.time_ms);
    let shared = match &who.spending {
        // The improviser costs nothing, and plays on when nothing is left.
        Spending::Shared(shared) if paid_seats(seats).next().is_some() => {
            let prices = prices(mapping);
            if let Some(currency) = shared.currency() {
                all_priced(mapping, seats, &prices, currency)?;
            }
            Some((shared.clone(), prices))
        }
        _ => None,
    };
    let Some(allowed) = &mapping.budget else {
        let is_any = time_ms.is_some() || shared.is_some();
        return Ok(is_any.then(|| Budget { time_ms, shared, ..Budget::default() }));
    };
    let limit = |from: u64, to: u64| (to < UNLIMITED).then_some(Limit { from, to });
    let money = match &allowed.money {
        None => None,
        Some(money) => {
            let prices = prices(mapping);
            all_priced(mapping, seats, &prices, &money.currency)?;
            let spent = match journal {
                None => Money::default(),
                Some(journal) => {
                    ledger(journal, None)?.spent_since(CallId(money.first_call), &prices, &money.currency)
                }
            };
            let amount = Money::of_millionths(money.millionths);
            Some(MoneyBudget { amount, currency: money.currency.clone(), spent, prices })
        }
    };
    Ok(Some(Budget {
        calls: limit(allowed.calls_before, allowed.calls),
        tokens: limit(allowed.tokens_before, allowed.tokens),
        money,
        time_ms,
        shared,
    }))
}

/// The seats whose models can cost money, each with its model's name. Whose server is on this machine is not known here, and a model of
/// one's own costs time at least: every model of a server counts.
pub fn paid_seats(seats: &SeatsFile) -> impl Iterator<Item = (Seat, &str)> {
    chairs(seats.players).filter_map(|seat| {
        let model = seats.of(seat).filter(|model| !model.is_embedded())?;
        Some((seat, model.model.as_str()))
    })
}

/// Refuses seats that would spend where nothing may be spent. Who holds a seat is asked in the place of its model.
pub(crate) fn may_spend(seats: &SeatsFile, who: &WhoPlays, held: &[crate::Sitting]) -> Result<(), Error> {
    if matches!(who.spending, Spending::Each) {
        return Ok(());
    }
    let mut paid = paid_seats(seats).filter(|(seat, _)| held.iter().all(|sitting| sitting.seat != *seat));
    let Some((seat, model)) = paid.next() else { return Ok(()) };
    if let Spending::Shared(shared) = &who.spending {
        if !shared.is_used_up() {
            return Ok(());
        }
        let message =
            format!("the budget of this server is used up ({}); no model was called", shared.spent());
        let help = "start the server again with another --allow-spend, or give every seat the model improv";
        return Err(Error::new(Kind::Usage, message, help));
    }
    let message = format!(
        "{} is played by the model {:?}, which can cost money, and nothing may be spent here; no model was called",
        seat.slug(),
        words::short(model, 60)
    );
    let help = "give every seat the model improv or somebody who plays it, or allow a budget for all campaigns of this server: \
                `twicetold mcp --allow-spend 0.50usd`";
    Err(Error::new(Kind::Usage, message, help))
}

/// A budget of money needs a price of every model that may be asked: without one it would hold nothing back.
pub(crate) fn all_priced(
    mapping: &Mapping,
    seats: &SeatsFile,
    prices: &Prices,
    currency: &str,
) -> Result<(), Error> {
    let servers = chairs(seats.players).filter_map(|seat| {
        let model = seats.of(seat).filter(|model| !model.is_embedded())?;
        Some((seat, model))
    });
    let hint = did_you_mean(currency);
    let mut any = false;
    for (seat, model) in servers {
        any = true;
        let slug = seat.slug();
        let entry = mapping.seat.get(&slug).map_or("", |player| player.model.as_str());
        let is = match prices.of(seat, &model.model) {
            Some(price) if price.currency == currency => continue,
            Some(price) => format!("a price in {}", price.currency),
            None => "no price".to_owned(),
        };
        let message = format!(
            "the budget is in {currency}, and the model {entry:?} of {slug} has {is}; no model was called"
        );
        // A name such as openai:MODEL stands for no entry that could hold a price.
        let how = match entry.contains([':', '#']) {
            true => "give it an entry of its own in models.toml, with [model.NAME.price]".to_owned(),
            false => format!("add [model.{entry:?}.price] to models.toml"),
        };
        let help = format!(
            "{hint}{how} (the README.md that `twicetold init DIR` writes describes it), give the seat \
             another model with --model {slug}=NAME, or limit calls or tokens: --budget 400calls"
        );
        return Err(Error::new(Kind::Usage, message, help));
    }
    if !any && !hint.is_empty() {
        let message = format!("no model here has a price in {currency:?}");
        return Err(Error::new(Kind::Usage, message, format!("{hint}the units are {POSSIBLE}")));
    }
    Ok(())
}

/// A campaign whose budget is used up is not begun again only to be paused.
pub(crate) fn not_used_up(budget: &Budget, id: CampaignId, state: &State) -> Result<(), Error> {
    let started = Millis(0);
    match Meter::new(budget.clone(), started).used_up(state, || started) {
        Some(used_up) if !used_up.is_time => {
            let (spent, again) = (used_up.notice.spent, used_up.notice.again);
            let message = format!("{} (spent: {spent})", used_up.reason);
            let help = format!("`twicetold resume {id:.8} --budget {again}` allows as much again");
            Err(Error::new(Kind::Usage, message, help))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_by_their_units() {
        let read = Spend::parse("0.50usd, 200ktok,1.5h,400calls");
        let wanted = Spend {
            calls: Some(400),
            tokens: Some(200_000),
            time_ms: Some(5_400_000),
            money: Some((500_000, "usd".into())),
        };
        assert_eq!(read, Ok(wanted));
        assert_eq!(Spend::parse("3 EUR").map(|spend| spend.money), Ok(Some((3_000_000, "eur".into()))));
    }

    #[test]
    fn an_amount_that_means_nothing_says_what_is_possible() {
        for (text, wanted) in [
            (
                "400",
                "there is no unit \"\": the units are calls, tok, ktok, Mtok, s, min, h and the currency",
            ),
            ("400clls", "did you mean \"calls\"?"),
            ("30mins", "did you mean \"min\"?"),
            ("3mtok", "did you mean \"Mtok\"?"),
            ("1dollar", "the currency of your prices"),
            ("usd", "must start with a number"),
            ("-1usd", "must start with a number"),
            ("0.0000001usd", "six decimals"),
            ("2.5calls", "not a whole number"),
            ("18446744073709h", "more than can be counted"),
            ("", "must start with a number"),
            ("3calls,4calls", "limits already"),
            ("1usd,1eur", "limits already"),
        ] {
            let refused = Spend::parse(text).expect_err(text);
            assert!(refused.contains(wanted), "{text}: {refused}");
        }
    }

    #[test]
    fn a_budget_of_former_versions_is_still_read_and_time_is_not_kept() {
        let old: Allowed = toml::from_str("calls = 3\ntokens = 9223372036854775807").expect("it is whole");
        assert_eq!((old.calls, old.calls_before, old.money), (3, 0, None));
        let spend = Spend::parse("1min,0.5usd,18446744073709calls").expect("it is whole");
        let spent = Spent { calls: 2, tokens: 5, next: CallId(3) };
        let allowed = spend.on_top_of(&spent).expect("more than time is limited");
        assert_eq!(Spend::parse("30min").map(|spend| spend.on_top_of(&spent)), Ok(None));
        let text = toml::to_string(&allowed).expect("it can be written");
        assert_eq!(toml::from_str::<Allowed>(&text), Ok(allowed));
        assert!(!text.contains("time") && text.contains("first_call = 3"), "{text}");
    }
}
