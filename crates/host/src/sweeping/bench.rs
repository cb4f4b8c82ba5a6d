//! The bundled plan that ranks models: each plays as DM and as all players, and one other model plays the rest.

use std::fmt::Write;

use twicetold_sweep::{PAIRS_MIN, ROLES};

/// What the sweep is called unless somebody names it otherwise.
pub const NAME: &str = "bench";
/// The campaign that is played: a short one, with some thirty calls.
pub const CAMPAIGN: &str = "the-borrowed-boat";
/// Who plays the other seats: without a key, a network or money.
pub const WITH: &str = "improv";
/// Seeds that are played: the fewest that give intervals, and so a ranking.
pub const SEEDS: u64 = PAIRS_MIN as u64;
/// Models in one ranking: each has two variants, and every two are compared.
pub const MODELS_MAX: usize = 24;

/// What is to be ranked.
pub struct Bench<'a> {
    /// What the sweep is called.
    pub name: &'a str,
    /// The models, each once.
    pub models: &'a [String],
    /// Who plays the other seats. It is ranked too.
    pub with: &'a str,
    /// The campaign.
    pub campaign: &'a str,
    /// How many seeds, from 1 on.
    pub seeds: u64,
    /// Campaigns side by side.
    pub parallel: usize,
    /// What all of it may cost, as `--budget` takes it.
    pub budget: Option<&'a str>,
}

impl Bench<'_> {
    /// The plan. Its first variant is who plays the other seats, on every seat; then for each model one variant for each role.
    pub fn plan(&self) -> String {
        let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut plan = "# Ranks models in each role. Written by `twicetold bench`.\n".to_owned();
        let _ = writeln!(plan, "name = {}", text(self.name));
        let _ = writeln!(plan, "campaigns = [{}]", text(self.campaign));
        let _ = writeln!(plan, "seeds = \"1..{}\"", self.seeds);
        let _ = writeln!(plan, "parallel = {}", self.parallel);
        if let Some(budget) = self.budget {
            let _ = writeln!(plan, "budget = {}", text(budget));
        }
        let mut names: Vec<&str> = ROLES.iter().flat_map(|role| role.scores).map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        let _ = writeln!(plan, "scores = {names:?}");
        let _ = writeln!(plan, "models = [\n  {},", text(self.with));
        for role in &ROLES {
            for model in self.models {
                let _ = write!(plan, "  {{ name = {}", text(&format!("{model} as {}", role.id)));
                for seat in ["dm", "players", "memory"] {
                    let who = if role.seats.contains(&seat) { model } else { self.with };
                    let _ = write!(plan, ", {seat} = {}", text(who));
                }
                plan += " },\n";
            }
        }
        plan + "]\n"
    }

    /// The variants that are ranked in a role, by their places in the plan: the role by its place in [`ROLES`].
    pub fn variants(&self, role: usize) -> Vec<usize> {
        let first = 1 + role * self.models.len();
        std::iter::once(0).chain(first..first + self.models.len()).collect()
    }

    /// The model of a variant.
    pub fn model(&self, variant: usize) -> &str {
        match variant.checked_sub(1) {
            None => self.with,
            Some(place) => &self.models[place % self.models.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use twicetold_sweep::Plan;

    use super::*;

    #[test]
    fn each_model_has_a_variant_for_each_role_and_odd_names_stay_names() {
        let models = ["a".to_owned(), "http://h/v1#\"b\"".to_owned()];
        let bench = Bench {
            name: NAME,
            models: &models,
            with: WITH,
            campaign: CAMPAIGN,
            seeds: SEEDS,
            parallel: 4,
            budget: Some("1usd"),
        };
        let (plan, mistakes) = Plan::read(&bench.plan(), &|_, _| None);
        let plan = plan.filter(|_| mistakes.is_empty()).unwrap_or_else(|| panic!("{mistakes:?}"));
        let names: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
        let odd = ["http://h/v1#\"b\" as dm", "http://h/v1#\"b\" as players"];
        assert_eq!(names, ["improv", "a as dm", odd[0], "a as players", odd[1]]);
        assert_eq!((plan.count(), plan.baseline), (50, 0));
        assert_eq!((bench.variants(0), bench.variants(1)), (vec![0, 1, 2], vec![0, 3, 4]));
        assert_eq!((bench.model(0), bench.model(3), bench.model(4)), ("improv", "a", models[1].as_str()));
        let seats: Vec<&str> = plan.teams[3].models.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(seats, ["dm=improv", "memory=improv", "players=a"]);
    }
}
