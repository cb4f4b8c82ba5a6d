//! Campaigns in a database as tables that plain SQL can read: what is counted elsewhere, row by row.

#[cfg(feature = "postgres")]
mod fold;

use twicetold_event::CampaignId;

use crate::{Error, Kind, Library};

/// What was done for the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Campaigns whose rows were written.
    pub written: usize,
    /// Campaigns that were removed, with their rows.
    pub forgotten: usize,
    /// Campaigns that could not be read.
    pub failed: usize,
}

/// Brings the tables up to date: reads the campaigns whose journals have grown and writes what is new of each, in a transaction of its own.
/// With `anew`, all rows are made again. `failed` is told which campaigns cannot be read; the others are written.
///
/// # Errors
/// Campaigns lie in a folder, or the database cannot be used.
#[cfg(feature = "postgres")]
pub fn update(
    library: &Library,
    anew: bool,
    mut failed: impl FnMut(CampaignId, Error),
) -> Result<Done, Error> {
    use twicetold_postgres::views::ViewsError;

    let database = crate::database::postgres(library.address().ok_or_else(|| folder(library))?)?;
    let views = database.views().map_err(|error| match error {
        ViewsError::Storage(error) => Error::new(
            Kind::Failed,
            format!("the schema \"twicetold_views\" cannot be made or read: {error}"),
            "its owner needs the right to make schemas in this database",
        ),
        error => Error::new(
            Kind::Failed,
            error.to_string(),
            "rename it or `DROP SCHEMA twicetold_views CASCADE`; the tables are made again from the journals",
        ),
    })?;
    if anew {
        views.empty()?;
    }
    let mut done = Done { forgotten: views.forget()?, ..Done::default() };
    for behind in views.behind()? {
        match fold::rows(library, &behind).and_then(|rows| Ok(views.write(&rows)?)) {
            Ok(written) => done.written += usize::from(written),
            Err(error) => {
                done.failed += 1;
                failed(behind.id, error);
            }
        }
    }
    Ok(done)
}

/// As above.
#[cfg(not(feature = "postgres"))]
pub fn update(library: &Library, _: bool, _: impl FnMut(CampaignId, Error)) -> Result<Done, Error> {
    Err(folder(library))
}

fn folder(library: &Library) -> Error {
    let message = format!("{} is a folder, and SQL reads campaigns in a database", library.name());
    Error::new(Kind::Usage, message, "give one with --data postgres://USER@HOST/DATABASE")
}
