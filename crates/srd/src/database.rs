//! Records as JSON objects by kind, out of the tables of a SQLite database or out of a file each.

use std::collections::BTreeMap;
use std::io::Cursor;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, MAIN_DB, OptionalExtension};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::draft::{self, Draft};
use crate::limits::{RECORD_BYTES_MAX, RECORDS_MAX};

/// Bytes of any value that a database may make: a record that is too large is told of, and one of this size is no record.
const VALUE_BYTES_MAX: i32 = 16 * 1024 * 1024;

/// A database that was read.
#[derive(Debug, Default)]
pub struct Database {
    /// What it says about itself, for example `edition`.
    pub metadata: BTreeMap<String, String>,
    /// Records by table, each in the order of their ids.
    pub tables: BTreeMap<&'static str, Vec<Value>>,
    /// Records that are no JSON or too large: table, id and why.
    pub unreadable: Vec<(&'static str, String, String)>,
}

impl Database {
    /// Reads these tables; those that are not there are empty.
    ///
    /// # Errors
    /// The bytes are no database, or a damaged one; the message says so in SQLite's words.
    pub fn read(bytes: &[u8], tables: &[&'static str]) -> Result<Database, String> {
        Database::try_read(bytes, tables).map_err(|error| error.to_string())
    }

    fn try_read(bytes: &[u8], tables: &[&'static str]) -> rusqlite::Result<Database> {
        let mut connection = Connection::open_in_memory()?;
        // The file is anybody's: nothing in its schema may run.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        // Nor may a column that is computed become larger than any record, which it would be before its length is known.
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)?;
        connection.deserialize_read_exact(MAIN_DB, Cursor::new(bytes), bytes.len(), true)?;
        let mut database = Database::default();
        if is_table(&connection, "metadata")? {
            let mut statement = connection.prepare("SELECT key, value FROM metadata LIMIT 100")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            database.metadata = rows.collect::<rusqlite::Result<_>>()?;
        }
        for table in tables {
            if is_table(&connection, table)? {
                // What a column computes, a stranger's file makes this program compute, for each row and as long as it likes.
                let computed = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden IN (2, 3)";
                if connection.query_row(computed, [table], |row| row.get::<_, i64>(0))? > 0 {
                    return Err(rusqlite::Error::InvalidColumnName(format!(
                        "{table} has a column that is computed"
                    )));
                }
                database.read_table(&connection, table)?;
            }
        }
        Ok(database)
    }

    /// Takes files of one JSON record each, below `canonical/` by their kinds.
    pub fn of_files(files: &[(String, Vec<u8>)], kinds: &[&'static str]) -> Database {
        let mut database = Database::default();
        for (path, bytes) in files {
            let below = path.rsplit_once("canonical/").map(|(_, below)| below);
            let Some((folder, name)) = below.and_then(|below| below.split_once('/')) else { continue };
            let Some(kind) = kinds.iter().copied().find(|kind| *kind == folder) else { continue };
            let records = database.tables.entry(kind).or_default();
            let problem = match serde_json::from_slice::<Value>(bytes) {
                _ if bytes.len() > RECORD_BYTES_MAX => {
                    format!("{} bytes, at most {RECORD_BYTES_MAX}", bytes.len())
                }
                Ok(_) if records.len() >= RECORDS_MAX => format!("more than {RECORDS_MAX} records"),
                Ok(record) => {
                    records.push(record);
                    continue;
                }
                Err(error) => format!("no JSON: {error}"),
            };
            database.unreadable.push((kind, name.to_owned(), problem));
        }
        database
    }

    fn read_table(&mut self, connection: &Connection, table: &'static str) -> rusqlite::Result<()> {
        let query = format!(
            "SELECT \"index\", length(data), CASE WHEN length(data) <= {RECORD_BYTES_MAX} THEN data ELSE '' END \
             FROM \"{table}\" ORDER BY \"index\" LIMIT {RECORDS_MAX}"
        );
        let mut statement = connection.prepare(&query)?;
        let mut rows = statement.query([])?;
        let records = self.tables.entry(table).or_default();
        while let Some(row) = rows.next()? {
            let (index, length, data): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            match serde_json::from_str::<Value>(&data) {
                Ok(record) => records.push(record),
                Err(_) if data.is_empty() => {
                    self.unreadable.push((
                        table,
                        index,
                        format!("{length} bytes, at most {RECORD_BYTES_MAX}"),
                    ));
                }
                Err(error) => self.unreadable.push((table, index, format!("no JSON: {error}"))),
            }
        }
        Ok(())
    }
}

/// Is it a table, and not a view that computes whatever it likes?
fn is_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let query =
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql LIKE 'CREATE TABLE %'";
    connection.query_row(query, [name], |_| Ok(())).optional().map(|found| found.is_some())
}

/// The records of a table as `T` with their ids; those that are none are told of.
pub fn records<T: DeserializeOwned>(
    database: &Database,
    table: &'static str,
    draft: &mut Draft,
) -> Vec<(String, T)> {
    let mut read = Vec::new();
    for record in database.tables.get(table).into_iter().flatten() {
        let index =
            record.get("index").or_else(|| record.get("slug")).and_then(Value::as_str).unwrap_or_default();
        let Some(id) = draft::id(index) else {
            draft.unmapped.note(table, "its id is none that a pack can have", index);
            continue;
        };
        match T::deserialize(record) {
            Ok(value) => read.push((id, value)),
            Err(error) => draft.unmapped.note(table, format!("the record is not as expected: {error}"), id),
        }
    }
    read
}

/// The first sentence of a text.
pub fn sentence(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '|']));
    let line = line.unwrap_or_default().trim_start_matches(['-', '*', ' ']);
    match line.find(". ") {
        Some(end) => line[..=end].to_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_computes_a_huge_value_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        let huge = "hex(zeroblob(20000000))";
        let table = format!("CREATE TABLE monsters (\"index\" TEXT, data TEXT GENERATED ALWAYS AS ({huge}))");
        connection.execute_batch(&table).unwrap();
        connection.execute("INSERT INTO monsters (\"index\") VALUES ('owl')", []).unwrap();
        let bytes = connection.serialize(MAIN_DB).unwrap();
        let refused = Database::read(&bytes, &["monsters"]).unwrap_err();
        assert!(refused.contains("a column that is computed"), "{refused}");
    }
}
