//! The server as a browser meets it: over HTTP on the loopback address, within the process of the tests.

mod browser;
mod campaigns;
mod causes;
mod forms;
mod live;
mod moments;
mod safety;
mod seats;
mod site;
