//! Plays a long campaign in a data folder, unless it is there: `long FOLDER TURNS`. Prints its id.

use std::path::Path;

use twicetold_event::CampaignId;
use twicetold_tests::long_campaign;

pub fn main(words: &[String]) {
    let [folder, turns] = words else { panic!("long FOLDER TURNS") };
    let turns: u64 = turns.parse().expect("a number of turns");
    let id = CampaignId([turns.to_be_bytes()[7]; 16]);
    let campaigns = Path::new(folder).join("campaigns");
    std::fs::create_dir_all(&campaigns).expect("a folder");
    let file = campaigns.join(format!("{id}.redb"));
    if !file.exists() {
        // No turn makes as many numbers.
        long_campaign(&file, id, turns, turns * 100);
    }
    println!("{id}");
}
