//! Promise: campaigns in PostgreSQL are kept as campaigns in files are. Without a server these tests are skipped, and say so.

mod conforming;
mod disturbed;
mod unfit;
