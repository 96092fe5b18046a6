//! What agents have used and what that costs, each by itself and with those below it, and how full a context is.
//!
//! Invariants: a total is the sum of its agents; tokens of a model without a price make no cost, and the words say so.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};

use super::calls;
use super::clean;
use super::live::{live, words};
use super::mirror::Mirror;
use super::numbers::{money, short};
use crate::app::dom;
use crate::model::{Agent, AgentNo, MAIN, Price, Usage};

/// Prices of the models of a session, as far as they are known, and what says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The file of prices: its name and date.
    pub name: String,
    /// By model; `None` for one that the file does not name.
    pub prices: BTreeMap<String, Option<Price>>,
}

/// What an agent used, and whose it is.
struct Share {
    n: AgentNo,
    parent: Option<AgentNo>,
    usage: Usage,
    model: Option<String>,
}

impl Share {
    /// The share of an agent; none of one that stands aside: it is counted elsewhere.
    fn of(agent: &Agent) -> Option<Self> {
        (!agent.is_aside()).then(|| Self { n: agent.n, parent: agent.parent, usage: agent.usage, model: agent.model.clone() })
    }
}

/// Tokens and their cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bill {
    pub usage: Usage,
    /// Millionths of a dollar, of the tokens that have a price.
    pub cost: u64,
    /// Models whose tokens have no price; "" where no model is known.
    pub unpriced: BTreeSet<String>,
}

impl Bill {
    /// Adds what a model used.
    pub fn add(&mut self, usage: Usage, model: Option<&str>, known: &Known) {
        if usage.is_zero() {
            return;
        }
        self.usage = self.usage.plus(usage);
        let model = model.unwrap_or_default();
        match known.prices.get(model).copied().flatten() {
            Some(price) => self.cost = self.cost.saturating_add(price.cost(usage)),
            None => _ = self.unpriced.insert(model.to_owned()),
        }
    }

    /// "$1.20", "$1.20 and more" where some has no price, "cost unknown", or nothing where nothing was used.
    pub fn words(&self) -> Option<String> {
        (!self.usage.is_zero()).then(|| self.price().unwrap_or_else(|| "cost unknown".into()))
    }

    /// The same without the words for what is not known.
    pub fn price(&self) -> Option<String> {
        match (self.unpriced.is_empty(), self.cost) {
            _ if self.usage.is_zero() => None,
            (true, cost) => Some(money(cost)),
            (false, 0) => None,
            (false, cost) => Some(format!("{} and more", money(cost))),
        }
    }
}

/// What an agent used itself, and with all below it; of `None` everything of the session.
fn bills(agents: &[Share], known: &Known, n: Option<AgentNo>) -> (Bill, Bill) {
    let (mut own, mut all) = (Bill::default(), Bill::default());
    let parents: BTreeMap<AgentNo, Option<AgentNo>> = agents.iter().map(|agent| (agent.n, agent.parent)).collect();
    for agent in agents {
        if agent.n == n.unwrap_or(MAIN) {
            own.add(agent.usage, agent.model.as_deref(), known);
        }
        if n.is_none_or(|n| is_below(&parents, agent.n, n)) {
            all.add(agent.usage, agent.model.as_deref(), known);
        }
    }
    (own, all)
}

/// True if `n` is `top` or stands below it. A circle has an end.
fn is_below(parents: &BTreeMap<AgentNo, Option<AgentNo>>, n: AgentNo, top: AgentNo) -> bool {
    let mut at = Some(n);
    for _ in 0..=parents.len() {
        match at {
            Some(n) if n == top => return true,
            Some(n) => at = parents.get(&n).copied().flatten(),
            None => return false,
        }
    }
    false
}

/// What an agent, or (`None`) the whole session, has used: the cost, and behind it the table.
#[component]
pub fn Spent(mirror: Mirror, n: Option<AgentNo>) -> impl IntoView {
    let rows = mirror.clone();
    let both = Memo::new(move |_| {
        rows.rows.used.track();
        let agents: Vec<Share> = rows.agents().with(|rows| rows.iter().filter_map(|row| row.row.with_untracked(Share::of)).collect());
        rows.known.with(|known| bills(&agents, known, n))
    });
    ask(&mirror);
    let menu = NodeRef::new();
    dom::close_when_left(menu);
    let name = mirror.known.clone();
    let whole = if n.is_none() { "The session" } else { "With its agents" };
    let listed = mirror.known.clone();
    let label = move || {
        // Without a list of prices, as in a copy read offline, nothing is said of costs.
        let listed = listed.with(|known| !known.name.is_empty());
        both.with(|(_, all)| match all.words() {
            Some(words) if listed => words,
            Some(_) => format!("{} tokens", short(all.usage.total())),
            None => "no tokens yet".into(),
        })
    };
    view! {
        <details class="spent" node_ref=menu>
            <summary class="pill num">{words(label)}</summary>
            {live(move || both.with(|(own, all)| {
                let name = name.with(|known| known.name.clone());
                let unpriced: Vec<String> = all.unpriced.iter().map(|model| if model.is_empty() { "an unnamed model".into() } else { clean(model).into_owned() }).collect();
                view! {
                    <div class="sheet-menu">
                        <table class="num">
                            <thead><tr><th></th><th scope="col">"In"</th><th scope="col">"From cache"</th><th scope="col">"To cache"</th><th scope="col">"Out"</th><th scope="col">"Cost"</th></tr></thead>
                            <tbody>{line(if n.is_none() { "Main agent" } else { "By itself" }, own)}{line(whole, all)}</tbody>
                        </table>
                        {(!unpriced.is_empty()).then(|| view! { <p>{format!("Without a price: {}", unpriced.join(", "))}</p> })}
                        <p>{name}</p>
                    </div>
                }
            }))}
        </details>
    }
    .into_any()
}

fn line(name: &'static str, bill: &Bill) -> AnyView {
    let usage = bill.usage;
    let cells: Vec<_> = [usage.input, usage.cache_read, usage.cache_write, usage.output]
        .into_iter()
        .map(|tokens| view! { <td>{short(tokens)}</td> })
        .collect();
    view! { <tr><th scope="row">{name}</th>{cells}<td>{bill.words().unwrap_or_else(|| "–".into())}</td></tr> }.into_any()
}

/// Asks for the prices of models that turned up since the page was read.
fn ask(mirror: &Mirror) {
    let mirror = mirror.clone();
    Effect::new(move |_| {
        let models: BTreeSet<String> =
            mirror.agents().with(|rows| rows.iter().filter_map(|row| row.standing(|row| row.model.clone())).collect());
        let new: Vec<String> = mirror.known.with(|known| models.into_iter().filter(|model| !known.prices.contains_key(model)).collect());
        if !new.is_empty() {
            let known = mirror.known.clone();
            spawn_local(async move {
                if let Ok(more) = calls::prices(new).await {
                    known.update(|known| known.prices.extend(more.prices));
                }
            });
        }
    });
}

/// How full an agent's context is. It is always there, so that nothing moves when the first number comes.
#[component]
pub fn Gauge(mirror: Mirror, n: AgentNo) -> impl IntoView {
    let row = mirror.agent(n).map(|agent| agent.row);
    let (known, times) = (mirror.known.clone(), row.clone());
    let times = Memo::new(move |_| times.as_ref().map_or(0, |row| row.with(|agent| agent.compactions)));
    let used = Memo::new(move |_| {
        row.as_ref().and_then(|row| {
            row.with(|agent| {
                let context = agent.context?;
                let listed = || known.with(|known| known.prices.get(agent.model.as_deref()?).copied().flatten()?.window);
                Some((context.used, context.window.or_else(listed).filter(|window| *window >= context.used.max(1))))
            })
        })
    });
    let label = move || match used.get() {
        Some((used, Some(window))) => format!("{} % of context", used.saturating_mul(100) / window),
        Some((used, None)) => format!("{} in context", short(used)),
        None => "context unknown".to_owned(),
    };
    let compacted = move || match times.get() {
        0 => String::new(),
        1 => " · compacted once".to_owned(),
        times => format!(" · compacted {times} times"),
    };
    let title = move || match used.get() {
        Some((used, Some(window))) => Some(format!("{} of {} tokens", short(used), short(window))),
        _ => None,
    };
    view! { <span class="pill num context" title=title>{words(label)}{words(compacted)}</span> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(n: AgentNo, parent: Option<AgentNo>, model: &str, output: u64) -> Share {
        Share {
            n,
            parent,
            model: Some(model.into()).filter(|model: &String| !model.is_empty()),
            usage: Usage { output, ..Usage::default() },
        }
    }

    fn known() -> Known {
        let price = Price { output: 10_000_000, ..Price::default() };
        Known { name: "test".into(), prices: BTreeMap::from([("a".into(), Some(price)), ("b".into(), None)]) }
    }

    #[test]
    fn a_session_costs_what_its_agents_cost() {
        let agents = [agent(0, None, "a", 1_000), agent(1, Some(0), "a", 200), agent(2, Some(1), "a", 30), agent(3, None, "a", 4)];
        assert!(Share::of(&Agent { merged_into: Some(1), ..Agent::default() }).is_none());
        let cost = |n| {
            let (own, all) = bills(&agents, &known(), n);
            (own.cost, all.cost)
        };
        assert_eq!(cost(Some(0)), (10_000, 12_300));
        assert_eq!(cost(Some(1)), (2_000, 2_300));
        assert_eq!(cost(Some(2)), (300, 300));
        let own: u64 = (0..4).map(|n| cost(Some(n)).0).sum();
        assert_eq!(cost(None), (10_000, own));
    }

    #[test]
    fn a_model_without_a_price_is_said() {
        let words = |agents: &[Share]| bills(agents, &known(), None).1.words();
        assert_eq!(words(&[agent(0, None, "b", 5)]), Some("cost unknown".into()));
        assert_eq!(words(&[agent(0, None, "", 5)]), Some("cost unknown".into()));
        assert_eq!(words(&[agent(0, None, "a", 100_000), agent(1, Some(0), "b", 5)]), Some("$1.00 and more".into()));
        assert_eq!(words(&[agent(0, None, "b", 0)]), None);
    }

    #[test]
    fn parents_in_a_circle_have_an_end() {
        let agents = [agent(0, None, "a", 1), agent(1, Some(2), "a", 1), agent(2, Some(1), "a", 1)];
        assert_eq!(bills(&agents, &known(), Some(1)).1.usage.output, 2);
        assert_eq!(bills(&agents, &known(), Some(0)).1.usage.output, 1);
    }
}
