//! Browsers that have been paired.
//!
//! Decision: a small file in the data folder, hashes only, 0600. It has a handful of rows, changes at a pairing and once an hour, and
//! outlives a restart; a table of the database would give no more.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::secret::{hash, narrow, random_name, write_private};
use crate::model::Ms;

const HOUR: Ms = 60 * 60 * 1000;
const DAY: Ms = 24 * HOUR;
/// A browser that has not been seen for this long is forgotten.
const UNSEEN: Ms = 30 * DAY;
/// However often it is seen, it has to pair again after this long.
pub const LIFE: Ms = 90 * DAY;
/// The most browsers; the one unseen for longest goes.
const MOST: usize = 100;

/// All paired browsers.
pub struct Credentials {
    path: PathBuf,
    rows: Mutex<Vec<Row>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    /// The cookie's SHA-256, base64.
    hash: String,
    /// What it said of itself when it was paired, or what a person calls it.
    #[serde(default)]
    name: String,
    made_at: Ms,
    seen_at: Ms,
}

/// A paired browser, as a person is told of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Device {
    /// Names it, and gives no way in.
    pub id: String,
    pub name: String,
    pub made_at: Ms,
    pub seen_at: Ms,
}

impl Credentials {
    /// Reads the file; one that is damaged is set aside, and everybody pairs again.
    pub fn open(data: &Path) -> Result<Self, String> {
        let path = data.join("browsers.json");
        let rows = match fs::read(&path) {
            Ok(bytes) => {
                narrow(&path).map_err(|error| format!("The rights of {} cannot be narrowed: {error}.", path.display()))?;
                serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                    tracing::warn!(%error, path = %path.display(), "the paired browsers cannot be read: they have to pair again");
                    Vec::new()
                })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(format!("The paired browsers in {} cannot be read: {error}.", path.display())),
        };
        Ok(Self { path, rows: Mutex::new(rows) })
    }

    /// Pairs a browser of that name and gives the value of its cookie.
    pub fn make(&self, name: &str) -> Result<String, String> {
        self.make_at(name, now())
    }

    fn make_at(&self, name: &str, now: Ms) -> Result<String, String> {
        let secret = random_name(32);
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.retain(|row| row.is_good(now));
        rows.sort_by_key(|row| std::cmp::Reverse(row.seen_at));
        rows.truncate(MOST - 1);
        rows.push(Row { hash: URL_SAFE_NO_PAD.encode(hash(&secret)), name: name.to_owned(), made_at: now, seen_at: now });
        self.save(&rows)?;
        Ok(secret)
    }

    /// A name for the browser with this cookie, if it is paired.
    pub fn find(&self, secret: &str) -> Option<String> {
        self.find_at(secret, now())
    }

    fn find_at(&self, secret: &str, now: Ms) -> Option<String> {
        let wanted = URL_SAFE_NO_PAD.encode(hash(secret));
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = rows.iter_mut().find(|row| row.hash == wanted && row.is_good(now))?;
        let name = row.id();
        let stale = now - row.seen_at >= HOUR;
        row.seen_at = row.seen_at.max(now);
        if stale && let Err(error) = self.save(&rows) {
            tracing::warn!(error, "a browser's last visit was not written down");
        }
        Some(name)
    }

    /// All that are paired, the one used last first.
    pub fn list(&self) -> Vec<Device> {
        let now = now();
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let good = rows.iter().filter(|row| row.is_good(now));
        let device = |row: &Row| Device { id: row.id(), name: row.name.clone(), made_at: row.made_at, seen_at: row.seen_at };
        let mut devices: Vec<Device> = good.map(device).collect();
        devices.sort_by_key(|device| std::cmp::Reverse(device.seen_at));
        devices
    }

    /// Takes a browser's right away; false if there is no such browser.
    pub fn revoke(&self, id: &str) -> Result<bool, String> {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let before = rows.len();
        rows.retain(|row| row.id() != id);
        let found = rows.len() < before;
        if found {
            self.save(&rows)?;
        }
        Ok(found)
    }

    /// Calls a browser so; false if there is no such browser.
    pub fn rename(&self, id: &str, name: &str) -> Result<bool, String> {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(row) = rows.iter_mut().find(|row| row.id() == id) else { return Ok(false) };
        name.clone_into(&mut row.name);
        self.save(&rows)?;
        Ok(true)
    }

    fn save(&self, rows: &[Row]) -> Result<(), String> {
        let bytes = serde_json::to_vec(rows).map_err(|error| error.to_string())?;
        write_private(&self.path, &bytes).map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }
}

impl Row {
    fn id(&self) -> String {
        self.hash.get(..12).unwrap_or_default().to_owned()
    }

    /// A clock that was set back makes a row of the future, which nobody can vouch for.
    fn is_good(&self, now: Ms) -> bool {
        self.made_at <= now + DAY && now - self.seen_at < UNSEEN && now - self.made_at < LIFE
    }
}

fn now() -> Ms {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pairing_outlives_a_restart_and_ends() {
        let data = tempfile::tempdir().expect("a folder");
        let secret = Credentials::open(data.path()).expect("credentials").make_at("a browser", 0).expect("a cookie");
        let text = fs::read_to_string(data.path().join("browsers.json")).expect("a file");
        assert!(!text.contains(&secret));

        let again = Credentials::open(data.path()).expect("credentials");
        assert!(again.find_at("another", DAY).is_none());
        assert!(again.find_at(&secret, 29 * DAY).is_some());
        assert!(again.find_at(&secret, 58 * DAY).is_some(), "each visit gives thirty days more");
        assert!(again.find_at(&secret, 87 * DAY).is_some());
        assert!(again.find_at(&secret, 91 * DAY).is_none(), "but ninety in all");
    }

    #[test]
    fn a_browser_that_stays_away_is_forgotten() {
        let data = tempfile::tempdir().expect("a folder");
        let credentials = Credentials::open(data.path()).expect("credentials");
        let secret = credentials.make_at("a browser", 0).expect("a cookie");
        assert!(credentials.find_at(&secret, 31 * DAY).is_none());
        assert!(credentials.find_at(&secret, -10 * 365 * DAY).is_none(), "a clock that was set back");
    }

    #[test]
    fn one_that_is_revoked_is_out_for_good() {
        let data = tempfile::tempdir().expect("a folder");
        let credentials = Credentials::open(data.path()).expect("credentials");
        let (one, two) = (credentials.make("One").expect("a cookie"), credentials.make("Two").expect("a cookie"));
        let id = credentials.find(&one).expect("a name");
        assert_eq!(credentials.list().len(), 2);
        assert_eq!(credentials.revoke(&id), Ok(true));
        assert_eq!(credentials.revoke(&id), Ok(false));
        let again = Credentials::open(data.path()).expect("credentials");
        assert!(again.find(&one).is_none() && again.find(&two).is_some());
        assert_eq!(again.list().iter().map(|device| device.name.as_str()).collect::<Vec<_>>(), ["Two"]);
    }

    #[test]
    fn a_damaged_file_pairs_nobody() {
        let data = tempfile::tempdir().expect("a folder");
        fs::write(data.path().join("browsers.json"), b"{").expect("a file");
        assert!(Credentials::open(data.path()).expect("credentials").find("x").is_none());
    }
}
