//! The pages.

mod agent;
mod asking;
mod delete;
mod devices;
mod failed;
mod header;
mod home;
mod save;
mod session;
mod settings;
mod sheet;
mod side;

pub use failed::Missing;
pub use home::{Home, agents_word, session_name, session_title};
pub use session::SessionView;
pub use settings::Settings;
