//! The pages.

mod agent;
mod delete;
mod failed;
mod header;
mod home;
mod session;
mod settings;
mod side;

pub use failed::Missing;
pub use home::{Home, session_title};
pub use session::SessionView;
pub use settings::Settings;
