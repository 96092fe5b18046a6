//! What tokens cost, by the name of the model.
//!
//! Decision: prices are data of a file that is named, dated and replaceable, and money is whole millionths of a dollar, so that sums are
//! exact. Invariant: a model that the file does not name has no price; nothing is guessed from a model like it.

use serde::{Deserialize, Serialize};

use super::Usage;

/// The prices that come with the program.
const OURS: &str = include_str!("prices.tsv");

/// A million tokens' prices, in millionths of a US dollar, and the model's context window in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// A file of prices.
#[derive(Clone, Debug)]
pub struct Prices {
    /// What it is and of when, as its first line says.
    pub name: String,
    rows: Vec<(Vec<Match>, Price)>,
}

#[derive(Clone, Debug)]
enum Match {
    Whole(String),
    Begins(String),
    Holds(String),
    Ends(String),
}

impl Price {
    /// The cost of these tokens, in millionths of a dollar, rounded to the nearest.
    pub fn cost(&self, usage: Usage) -> u64 {
        let classes = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
        ];
        let sum: u128 = classes.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).sum();
        u64::try_from((sum + 500_000) / 1_000_000).unwrap_or(u64::MAX)
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self::read(OURS).unwrap_or_else(|_| Self { name: String::new(), rows: Vec::new() })
    }
}

impl Prices {
    /// Reads a file of prices.
    ///
    /// # Errors
    /// One sentence that names the first line which cannot be read.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut rows = Vec::new();
        for (line, n) in text.lines().zip(1..) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            rows.push(row(line).ok_or_else(|| format!("Line {n} of the prices cannot be read: {line:?}."))?);
        }
        let name = text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']).to_owned();
        Ok(Self { name, rows })
    }

    /// The price of a model: the row that names the whole of it, else the one with the longest name that fits.
    pub fn of(&self, model: &str) -> Option<Price> {
        let model = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
        let model = model.split('[').next().unwrap_or_default().trim();
        let fit = |rule: &Match| match rule {
            Match::Whole(name) => (model == name).then_some(usize::MAX),
            Match::Begins(name) => model.starts_with(name.as_str()).then_some(name.len() * 2 + 1),
            Match::Ends(name) => model.ends_with(name.as_str()).then_some(name.len() * 2),
            Match::Holds(name) => model.contains(name.as_str()).then_some(name.len() * 2),
        };
        let best = |(rules, price): &(Vec<Match>, Price)| rules.iter().filter_map(fit).max().map(|fit| (fit, *price));
        // Of equal fits the first row counts.
        self.rows.iter().rev().filter_map(best).max_by_key(|(fit, _)| *fit).map(|(_, price)| price)
    }
}

fn row(line: &str) -> Option<(Vec<Match>, Price)> {
    let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
    let rule = |word: &str| {
        let name = word.get(1..)?.to_ascii_lowercase();
        Some(match word.chars().next()? {
            '=' => Match::Whole(name),
            '^' => Match::Begins(name),
            '~' => Match::Holds(name),
            '$' => Match::Ends(name),
            _ => return None,
        })
    };
    let rules = columns.first()?.split_whitespace().map(rule).collect::<Option<Vec<_>>>()?;
    let price = |n: usize| columns.get(n).copied().filter(|text| !text.is_empty()).map(millionths);
    let input = price(1)??;
    let window = columns.get(5).filter(|text| !text.is_empty()).map(|text| text.parse().ok());
    let price = Price {
        input,
        output: price(2)??,
        cache_read: price(3).unwrap_or(Some(input))?,
        cache_write: price(4).unwrap_or(Some(input))?,
        window: window.unwrap_or(Some(0)).map(|window: u64| (window > 0).then_some(window))?,
    };
    Some((rules, price))
}

/// A decimal as millionths; what is finer is cut off.
fn millionths(text: &str) -> Option<u64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    if !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rest = format!("{rest:0<6}");
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(rest.get(..6)?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_file_is_read_and_says_what_it_is() {
        let prices = Prices::read(OURS).expect("a file that can be read");
        assert!(prices.name.contains("genai-prices") && prices.rows.len() > 100, "{}", prices.name);
        assert!(prices.rows.iter().all(|(rules, price)| !rules.is_empty() && price.output > 0));
    }

    #[test]
    fn a_cost_is_what_a_person_computes() {
        let prices = Prices::read("# test, 2026\n^claude-x\t3\t15\t0.3\t3.75\t200000\n=plain\t0.1\t0.5\t\t\t\n").expect("prices");
        let usage = Usage { input: 1_000, output: 2_000, cache_read: 100_000, cache_write: 4_000 };
        // 0.003 + 0.03 + 0.03 + 0.015 dollars.
        assert_eq!(prices.of("claude-x-20260101").map(|price| price.cost(usage)), Some(78_000));
        // Without prices of its own the cache costs what input costs: 105,000 × 0.1 + 2,000 × 0.5.
        assert_eq!(prices.of("vendor/PLAIN[1m]").map(|price| price.cost(usage)), Some(11_500));
        assert_eq!(prices.of("claude-x").and_then(|price| price.window), Some(200_000));
        assert_eq!(Price { input: u64::MAX, ..Price::default() }.cost(Usage { input: u64::MAX, ..usage }), u64::MAX);
    }

    #[test]
    fn a_model_that_is_not_named_has_no_price() {
        let prices = Prices::read("#\n=a-1\t1\t1\n^a-1-mini\t2\t2\n~vision\t3\t3\n").expect("prices");
        let input = |model: &str| prices.of(model).map(|price| price.input / 1_000_000);
        assert_eq!(
            [input("a-1"), input("a-1-mini-2"), input("a-1-pro"), input("b-vision"), input("")],
            [Some(1), Some(2), None, Some(3), None]
        );
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (line, good) in [
            ("=a\t1\t2", true),
            ("a\t1\t2", false),
            ("=a\t1", false),
            ("=a\tx\t2", false),
            ("=a\t1\t2\t-1", false),
            ("=a\t1.5\t2.0000001", true),
        ] {
            assert_eq!(Prices::read(&format!("# x\n{line}")).is_ok(), good, "{line}");
        }
    }
}
