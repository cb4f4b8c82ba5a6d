//! Promise: campaigns in PostgreSQL are kept as campaigns in files are. Without a server those tests that need one are skipped, and say so.

mod conforming;
mod disturbed;
mod protocol;
mod unfit;
mod views;
