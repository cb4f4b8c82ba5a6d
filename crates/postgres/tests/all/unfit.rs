//! Promise: a database that would not keep what it confirms, or belongs to somebody else, is refused with a reason.

use twicetold_postgres::{Address, Passwords, Postgres};
use twicetold_tests::postgres::server;

fn refused(address: &str) -> String {
    let address = Address::read(address, &Passwords::default()).expect("an address");
    Postgres::connect(address, "a test").err().expect("it is refused").to_string()
}

#[test]
fn an_unfit_database_is_refused() {
    let Some(server) = server() else { return };
    let address = server.database();
    let name = address.rsplit('/').next().unwrap();
    server.sql(&address, &format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    let why = refused(&address);
    assert!(why.contains("synchronous_commit is off"), "{why}");
    server.sql(&address, &format!("ALTER DATABASE {name} RESET synchronous_commit"));

    server.sql(&address, "CREATE SCHEMA twicetold; CREATE TABLE twicetold.mine (x int)");
    let why = refused(&address);
    assert!(why.contains("tables of another program"), "{why}");
    assert_eq!(server.sql(&address, "SELECT count(*) FROM pg_tables WHERE schemaname = 'twicetold'"), "1");

    server.sql(&address, "DROP SCHEMA twicetold CASCADE");
    drop(super::conforming::connected(&address));
    server.sql(&address, "UPDATE twicetold.layout SET step = 99");
    let why = refused(&address);
    assert!(why.contains("step 99") && why.contains("newer build"), "{why}");
}

#[test]
fn who_may_not_make_tables_is_told_what_to_do() {
    let Some(server) = server() else { return };
    let address = server.database();
    let name = address.rsplit('/').next().unwrap();
    server.sql(&address, &format!("CREATE ROLE {name}_guest LOGIN"));
    let guest = address.replace("tester@", &format!("{name}_guest@"));
    let why = refused(&guest);
    assert!(
        why.contains("permission denied") && why.contains("CREATE SCHEMA twicetold AUTHORIZATION"),
        "{why}"
    );
    server.sql(&address, &format!("CREATE SCHEMA twicetold AUTHORIZATION {name}_guest"));
    drop(super::conforming::connected(&guest));
}

#[test]
fn a_database_that_nobody_answers_for_is_named() {
    // Port 1 of loopback: nobody listens there.
    let why = refused("postgres://somebody@127.0.0.1:1/campaigns");
    assert!(why.contains("cannot be reached") && why.contains("127.0.0.1:1"), "{why}");
}
