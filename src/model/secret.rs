//! Names that say that what is given to them is secret: one list for what is drawn and for what is put into titles.

/// Words of a name that is given a secret; in small letters.
const SECRET: [&str; 16] = [
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "account_key",
    "accountkey",
    "private_key",
    "signing_key",
    "encryption_key",
    "token",
    "secret",
    "credential",
    "authorization",
    "cookie",
    "_key",
];
/// Words of a name that is given a password.
const PASSWORD: [&str; 4] = ["password", "passwd", "passphrase", "pgpass"];

/// What a name says of the value that is given to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// It was generated: a key, a token.
    Made,
    /// A person may have chosen it: it may be anything.
    Password,
}

impl Secret {
    /// What a name in small letters says; `None` where it says nothing of a secret.
    pub fn named(name: &str) -> Option<Self> {
        // One way through the name: searching it for each word would cost more than all else that is done to a text.
        let any =
            |words: &[&str]| (0..name.len()).filter_map(|at| name.get(at..)).any(|rest| words.iter().any(|word| rest.starts_with(word)));
        match () {
            () if any(&PASSWORD) || name == "pwd" || name.ends_with("_pwd") => Some(Self::Password),
            () if any(&SECRET) => Some(Self::Made),
            () => None,
        }
    }
}
