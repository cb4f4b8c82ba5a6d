//! What to do where the server of a model does not answer.

use std::net::IpAddr;

use twicetold_event::Seat;

use super::{MODELS, Models, OLLAMA, is_address};
use crate::mapping::Mapping;

/// What to do where the server of the model on this seat does not answer. `resume` is the command that continues the campaign.
pub fn unreachable(mapping: &Mapping, seat: Seat, resume: &str) -> String {
    let known = mapping.seat.get(&seat.slug()).and_then(|player| {
        let models = Models::of(player.config.as_deref()).ok()?;
        models.unreachable(&player.model, resume)
    });
    known.unwrap_or_else(|| "Start the server of the model; then resume.".to_owned())
}

/// What to do where the server of the model on this seat refuses the key.
pub fn key_refused(mapping: &Mapping, seat: Seat) -> String {
    let spec = mapping.seat.get(&seat.slug()).and_then(|player| {
        let models = Models::of(player.config.as_deref()).ok()?;
        Some((models.spec(&player.model)?.api_key_env, models.shown))
    });
    match spec {
        Some((Some(variable), _)) => {
            format!(
                "The key is read from the environment variable {variable}: set it to one that the server takes; then resume."
            )
        }
        Some((None, shown)) => format!(
            "No key is sent: put one into an environment variable and name that as `api_key_env` of the model in {shown}; then resume."
        ),
        None => "Give the server a key that it takes; then resume.".to_owned(),
    }
}

impl Models {
    /// The same for a model by its name. Nothing where the name stands for no server.
    fn unreachable(&self, name: &str, resume: &str) -> Option<String> {
        let spec = self.spec(name)?;
        let address = spec.base_url?;
        let is_here = is_this_machine(&address);
        let first = match (is_here, spec.provider == OLLAMA) {
            (true, true) => format!("Start Ollama with `ollama serve`: it is expected at {address}"),
            (true, false) => format!("Start the server at {address}"),
            (false, _) => format!("Check the connection to {address}"),
        };
        let profile = name.split_once(':').map_or(name, |(profile, _)| profile);
        let is_own =
            self.shown != MODELS && self.file.model.keys().any(|known| known == name || known == profile);
        let or = if is_address(name) {
            format!(", or give its right address: `{resume} --model ADDRESS#MODEL`")
        } else if is_own {
            format!(", or fix base_url in {}", self.shown)
        } else if is_here {
            format!(", or give another address: `{resume} --model ADDRESS#MODEL`")
        } else {
            String::new()
        };
        Some(format!("{first}{or}; then resume."))
    }
}

/// Is the server of this address on this machine?
fn is_this_machine(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let place = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match place.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "default = \"mine\"\n[model.mine]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:8080/v1\"\nmodel = \"m\"\n";

    fn told(models: &Models, name: &str) -> String {
        models.unreachable(name, "twicetold resume 1a").unwrap_or_default()
    }

    #[test]
    fn advice_names_the_place_that_the_address_came_from() {
        let bundled = Models::parse(super::super::bundled_models()).unwrap();
        let own = Models { shown: "mine/models.toml".to_owned(), ..Models::parse(OWN).unwrap() };
        for models in [&bundled, &own] {
            let ollama = told(models, "ollama:qwen3:8b");
            assert!(
                ollama.starts_with(
                    "Start Ollama with `ollama serve`: it is expected at http://127.0.0.1:11434"
                )
            );
            let typed = told(models, "http://localhost:1/v1#m");
            let wanted = "Start the server at http://localhost:1/v1, or give its right address: \
                          `twicetold resume 1a --model ADDRESS#MODEL`; then resume.";
            assert_eq!(typed, wanted);
            for name in ["ollama:qwen3:8b", "http://localhost:1/v1#m", "openai:gpt"] {
                assert!(!told(models, name).contains(MODELS), "{name}");
            }
            let far = told(models, "openai:gpt");
            assert_eq!(far, "Check the connection to https://api.openai.com/v1; then resume.");
        }
        let wanted =
            "Start the server at http://127.0.0.1:8080/v1, or fix base_url in mine/models.toml; then resume.";
        assert_eq!((told(&own, "mine").as_str(), told(&own, "mine:other").as_str()), (wanted, wanted));
        assert_eq!(told(&own, "improv"), "");
    }

    #[test]
    fn a_server_is_here_where_its_address_is_a_loopback_address() {
        for here in
            ["http://127.0.0.1:8080/v1", "http://LOCALHOST/v1", "http://[::1]:80/v1", "http://127.9.9.9#m"]
        {
            assert!(is_this_machine(here), "{here}");
        }
        for far in
            ["https://api.example/v1", "http://[::2]/v1", "http://localhost.example/v1", "", "://", "[["]
        {
            assert!(!is_this_machine(far), "{far}");
        }
    }
}
