//! The pages.

mod agent;
mod failed;
mod header;
mod home;
mod session;
mod side;

pub use failed::Missing;
pub use home::Home;
pub use session::SessionView;
