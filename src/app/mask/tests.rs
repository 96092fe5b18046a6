use super::veil::plain_words;
use super::*;

/// A generator without an owner, for secrets that nobody has.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn of(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.next() as usize % letters.len()]).collect()
    }
}

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const B64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A text with a secret in it, and the part of it that must not be seen.
type Form = (String, String);

/// More than 200 forms: those that are known by their beginning in several surroundings, and values of telling names in several grammars.
fn forms() -> Vec<Form> {
    let mut random = Random(7);
    let mut forms = Vec::new();
    let known: &[(&str, &str, usize)] = &[
        ("sk-ant-api03-", ALNUM, 93),
        ("sk-proj-", ALNUM, 48),
        ("sk-", ALNUM, 48),
        ("sk-or-v1-", HEX, 64),
        ("hf_", ALNUM, 34),
        ("r8_", ALNUM, 37),
        ("gsk_", ALNUM, 52),
        ("xai-", ALNUM, 80),
        ("AKIA", UPPER, 16),
        ("ASIA", UPPER, 16),
        ("AIza", ALNUM, 35),
        ("dop_v1_", HEX, 64),
        ("dp.pt.", ALNUM, 43),
        ("hvs.", ALNUM, 24),
        ("pul-", HEX, 40),
        ("LTAI", ALNUM, 20),
        ("vca_", ALNUM, 60),
        ("nfp_", ALNUM, 36),
        ("bkua_", ALNUM, 40),
        ("xoxb-123456789012-1234567890123-", ALNUM, 24),
        ("SG.", ALNUM, 68),
        ("NRAK-", UPPER, 27),
        ("glsa_", ALNUM, 41),
        ("lin_api_", ALNUM, 40),
        ("secret_", ALNUM, 43),
        ("sntryu_", HEX, 64),
        ("sk_live_", ALNUM, 24),
        ("sk_test_", ALNUM, 24),
        ("whsec_", ALNUM, 32),
        ("shpat_", HEX, 32),
        ("rzp_live_", ALNUM, 14),
        ("ghp_", ALNUM, 36),
        ("gho_", ALNUM, 36),
        ("ghs_", ALNUM, 36),
        ("github_pat_", ALNUM, 82),
        ("glpat-", ALNUM, 20),
        ("npm_", ALNUM, 36),
        ("pypi-AgEIcHlwaS5vcmc", ALNUM, 80),
        ("rubygems_", HEX, 48),
        ("eyJ", ALNUM, 30),
    ];
    for (begins, alphabet, length) in known {
        for around in ["{}", "the key is {} for now", "KEY={}\nnext", "curl -H 'x-api-key: {}' https://a.test", "{\"a\":\"{}\"}"] {
            let mut rest = random.of(alphabet, *length);
            if *begins == "eyJ" {
                rest = format!("{rest}.{}.{}", random.of(ALNUM, 60), random.of(ALNUM, 43));
            }
            forms.push((around.replacen("{}", &format!("{begins}{rest}"), 1), rest));
        }
    }
    let names = [
        "AWS_SECRET_ACCESS_KEY",
        "COHERE_API_KEY",
        "aws_secret_access_key",
        "client_secret",
        "auth_token",
        "DATADOG_API_KEY",
        "x-api-key",
        "accessToken",
    ];
    for name in names {
        for around in [
            "{n}={v}",
            "export {n}=\"{v}\"",
            "{n}: {v}",
            "{\"{n}\": \"{v}\"}",
            "{n} = '{v}'",
            "\"{\\\"{n}\\\":\\\"{v}\\\"}\"",
            "{\"{n}\":\n  \"{v}\"}",
        ] {
            let value = random.of(B64, 40);
            forms.push((around.replacen("{n}", name, 1).replacen("{v}", &value, 1), value));
        }
    }
    for around in [
        "DB_PASSWORD={v}",
        "password: \"{v}\"",
        "postgres://app:{v}@db.test:5432/app",
        "https://bot:{v}@git.test/x.git",
        "redis://:{v}@cache.test/0",
        "PGPASSWORD='{v}' psql",
        "{\"password\":\"{v}\"}",
    ] {
        let value = random.of(ALNUM, 12);
        forms.push((around.replacen("{v}", &value, 1), value));
    }
    for around in
        ["Authorization: Bearer {v}", "-H \"Authorization: Bearer {v}\"", "authorization: Basic {v}", "\"Authorization\": \"Bearer {v}\""]
    {
        let value = random.of(ALNUM, 40);
        forms.push((around.replacen("{v}", &value, 1), value));
    }
    let lines: Vec<String> = (0..6).map(|_| random.of(B64, 64)).collect();
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        for (end, escaped) in [("\n", false), ("\\n", true)] {
            let key = lines.join(end);
            let text = format!("-----BEGIN {kind}PRIVATE KEY-----{end}{key}{end}-----END {kind}PRIVATE KEY-----");
            forms.push((if escaped { format!("{{\"private_key\":\"{text}\"}}") } else { text }, key));
        }
    }
    forms.push((format!("bot 123456789:{}", "AAbbCC0123456789ddEEff_-ghIJklmnop1"), "AAbbCC0123456789ddEEff_-ghIJklmnop1".into()));
    use base64::Engine;
    for _ in 0..4 {
        let plain = format!("token ghp_{}", random.of(ALNUM, 36));
        let coded = base64::engine::general_purpose::STANDARD.encode(plain);
        forms.push((format!("data: {coded}"), coded.trim_end_matches('=')[16..].to_owned()));
    }
    forms
}

/// True if so much of a secret is to be seen that it would help: eight characters in a row of its second half, or of a short one half.
fn is_seen(text: &str, secret: &str) -> bool {
    let secret: Vec<char> = secret.chars().collect();
    let row = (secret.len() / 2).clamp(4, 12);
    secret.windows(row).any(|row| text.contains(&row.iter().collect::<String>()))
}

#[test]
fn secrets_are_hidden_in_two_hundred_forms() {
    let forms = forms();
    assert!(forms.len() >= 200, "{}", forms.len());
    let seen: Vec<&str> =
        forms.iter().filter(|(text, secret)| is_seen(&hide(text, false), secret)).map(|(text, _)| text.as_str()).collect();
    assert!(seen.len() * 100 < forms.len(), "{} of {} are seen: {seen:#?}", seen.len(), forms.len());
}

#[test]
fn a_secret_that_comes_in_pieces_is_hidden_all_along() {
    let forms = forms();
    let shows = |(text, secret): &&Form| (1..text.len()).any(|cut| is_seen(&hide(&text[..cut], true), secret));
    let seen: Vec<&str> = forms.iter().filter(shows).map(|(text, _)| text.as_str()).collect();
    assert!(seen.len() * 100 < forms.len(), "{} of {} are seen: {seen:#?}", seen.len(), forms.len());
}

#[test]
fn hiding_keeps_every_other_byte_in_its_place() {
    for (text, _) in forms() {
        let text = format!("ü {text} ü\n");
        for open in [false, true] {
            let hidden = hide(&text, open);
            assert_eq!(hidden.len(), text.len());
            assert!(hidden.chars().zip(text.chars()).all(|(seen, was)| seen == was || seen == HIDDEN));
        }
    }
}

/// The lines of this program and of what describes it: real code in several languages, with no secret in it.
#[test]
fn clean_lines_stay_as_they_are() {
    let mut lines = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "node_modules", "mask", "shots"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name
                .rsplit_once('.')
                .is_some_and(|(_, ending)| ["rs", "js", "md", "toml", "css", "lock", "json", "html", "mjs"].contains(&ending))
            {
                lines.extend(std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned));
            }
        }
    }
    assert!(lines.len() > 10_000, "{}", lines.len());
    let wrong: Vec<&String> = lines.iter().filter(|line| matches!(hide(line, false), Cow::Owned(_))).collect();
    assert!(wrong.len() * 200 < lines.len(), "{} of {}: {:#?}", wrong.len(), lines.len(), wrong.iter().take(40).collect::<Vec<_>>());
}

#[test]
fn a_secret_set_in_bold_or_in_a_table_was_seen() {
    for text in [
        "**API_KEY:** Zq8Xw2Lm9Pk4Rt7v",
        "- **SECRET_KEY:** `Zq8Xw2Lm9Pk4Rt7v`",
        "**Password:** hunterX9zQ4pLm",
        "*token:* Zq8Xw2Lm9Pk4Rt7v",
        "client_secret: **Zq8Xw2Lm9Pk4Rt7v** and so on",
        "| API_KEY | Zq8Xw2Lm9Pk4Rt7v |",
        "| password | hunterX9zQ4pLm | yes |",
    ] {
        let hidden = hide(text, false);
        assert!(hidden.contains(HIDDEN) && !hidden.contains("Zq8X") && !hidden.contains("hunter"), "{text}: {hidden:?}");
        assert!(!text.ends_with("so on") || hidden.contains("** and so on"), "{hidden:?}");
    }
    assert_eq!(hide("| token | a_word_in_the_next_cell |", false), "| token | a_word_in_the_next_cell |");
    for written in ["_ghp_0123456789abcdefghijABCDEFGHIJ012345_", "ghp\\_0123456789abcdefghijABCDEFGHIJ012345"] {
        assert!(!hide(written, false).contains("0123456789"), "{written}");
    }
    let words = "| asked before it looks at the password | `src/routes/login.rs` |";
    assert_eq!(hide(words, false), words, "words that end in a name give no value to it");
}

#[test]
fn what_only_names_a_secret_is_none() {
    for text in [
        "let token: String = next();",
        "password = get_password()",
        "api_key = os.environ[\"API_KEY\"]",
        "const token = process.env.GITHUB_TOKEN_FOR_CI_2",
        "TOKEN=$TOKEN",
        "password: {{ secrets.DB_PASSWORD }}",
        "the password: please choose one",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "https://example.org:8080/a@b",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "checksum = \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "task_key-for-the-item",
        "max_tokens: 4096",
        "key == other",
    ] {
        assert_eq!(hide(text, false), text);
    }
}

#[test]
fn hostile_text_takes_no_time() {
    for piece in [
        "a-",
        "token=",
        "sk-ant-",
        "xoxb-",
        "-----BEGIN PRIVATE KEY-----é",
        "://a:",
        "x://",
        "eyJ-",
        "eyJa.",
        "password:",
        "A/",
        "-----BEGIN ",
        "é",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = hide(&text, true);
        let took = start.elapsed();
        assert!(took < std::time::Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 }), "{piece}: {took:?}");
    }
}

#[test]
fn no_known_secret_begins_as_words_of_prose() {
    for line in include_str!("rules.tsv").lines().filter(|line| !line.starts_with('#')) {
        let begins = line.split('\t').next().unwrap_or_default();
        for after in ["x", "X", "7x", "xxxxxxxx", "7xx7xx7x"] {
            assert_eq!(plain_words(format!("{begins}{after}").as_bytes()), None, "{begins}{after}");
        }
    }
    assert_eq!(plain_words(b"There are 12 callers; (9 only) push.\nThe la"), Some(41));
}

proptest::proptest! {
    /// A text that comes in pieces is veiled at each step as one that came at once.
    #[test]
    fn a_growing_veil_is_that_of_the_whole(picks in proptest::collection::vec((0..400_usize, proptest::bool::ANY), 1..12), steps in proptest::collection::vec(1..40_usize, 1..60)) {
        let forms = forms();
        let words = ["and so on ", "the token: ", "password = ", "\n", "Authorization: Bearer ", "-----BEGIN ", "https://user:", "key ", "\"", "é ", "A word, 12 more. ", "oy2", "hvs.", "xoxe.", "Ab/", "abcdefg"];
        let text: String = picks.iter().map(|(n, form)| if *form { forms[n % forms.len()].0.clone() + " " } else { words[n % words.len()].to_owned() }).collect();
        let mut veil = Veil::default();
        let mut at = 0;
        for step in steps.iter().cycle() {
            at = text.ceil_char_boundary((at + step).min(text.len()));
            let before = veil.text().to_owned();
            let changed = veil.grow(&text[..at], true, false);
            let whole = hide(&text[..at], true);
            proptest::prop_assert_eq!(veil.text(), whole.as_ref(), "at {} of {:?}", at, text);
            proptest::prop_assert_eq!(veil.text().get(..changed), before.get(..changed));
            if at == text.len() {
                break;
            }
        }
        veil.grow(&text, false, false);
        let whole = hide(&text, false);
        proptest::prop_assert_eq!(veil.text(), whole.as_ref());
    }
}
