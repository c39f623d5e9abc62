//! Random scenarios of facts, levels and nodes, compared with an exhaustive closure.

use super::*;
use proptest::prelude::*;
use rustc_hash::FxHashSet;
use terms::entity::Entity;

/// One event. Numbers are taken modulo the number of existing items.
#[derive(Clone, Debug)]
enum Event {
    Leaf,
    Value,
    Apply { function: u32, arguments: Vec<usize> },
    Watch(usize, usize),
    Merge(usize, usize),
    Disequal(usize, usize),
    Push,
    Backtrack(usize),
    Close,
}

fn event() -> impl Strategy<Value = Event> {
    let node = || 0usize..1000;
    prop_oneof![
        2 => Just(Event::Leaf),
        1 => Just(Event::Value),
        6 => (0u32..3, prop::collection::vec(node(), 1..3))
            .prop_map(|(function, arguments)| Event::Apply { function, arguments }),
        2 => (node(), node()).prop_map(|(a, b)| Event::Watch(a, b)),
        8 => (node(), node()).prop_map(|(a, b)| Event::Merge(a, b)),
        2 => (node(), node()).prop_map(|(a, b)| Event::Disequal(a, b)),
        5 => Just(Event::Push),
        3 => node().prop_map(Event::Backtrack),
        6 => Just(Event::Close),
    ]
}

/// The nodes and facts, without any structure.
struct Scenario {
    congruence: Congruence,
    /// By reason.
    facts: Vec<Fact>,
    /// The reasons of the current facts.
    current: Vec<u32>,
    levels: Vec<usize>,
    seen: FxHashSet<(u32, Vec<Node>)>,
    watches: Vec<Watch>,
    /// The number of explained conflicts and consequences.
    explained: usize,
}

impl Facts for Scenario {
    fn application(&self, node: Node) -> Option<(u32, &[Node])> {
        self.congruence.application(node).map(|application| (application.function, &*application.arguments))
    }

    fn is_value(&self, node: Node) -> bool {
        self.congruence.is_value(node)
    }

    fn says(&self, reason: u32, fact: Fact) -> bool {
        let same = |(a, b), (c, d)| (a, b) == (c, d) || (b, a) == (c, d);
        match (self.facts[reason as usize], fact) {
            (Fact::Equal(a, b), Fact::Equal(c, d)) | (Fact::Distinct(a, b), Fact::Distinct(c, d)) => {
                same((a, b), (c, d))
            }
            _ => false,
        }
    }
}

impl Scenario {
    fn new() -> Self {
        let mut congruence = Congruence::new();
        congruence.leaf();
        Scenario {
            congruence,
            facts: Vec::new(),
            current: Vec::new(),
            levels: Vec::new(),
            seen: FxHashSet::default(),
            watches: Vec::new(),
            explained: 0,
        }
    }

    fn node(&self, number: usize) -> Node {
        Node::new(number % self.congruence.nodes().len())
    }

    fn tell(&mut self, fact: Fact) {
        let reason = self.facts.len() as u32;
        self.facts.push(fact);
        self.current.push(reason);
        match fact {
            Fact::Equal(a, b) => self.congruence.merge(a, b, reason),
            Fact::Distinct(a, b) => self.congruence.disequal(a, b, reason),
        }
    }

    /// The representatives implied by the facts of these reasons.
    fn classes(&self, reasons: &[u32]) -> Vec<usize> {
        let mut class: Vec<usize> = (0..self.congruence.nodes().len()).collect();
        let unite = |class: &mut Vec<usize>, a: Node, b: Node| {
            let (from, into) = (class[a.index()], class[b.index()]);
            class.iter_mut().filter(|of| **of == from).for_each(|of| *of = into);
            from != into
        };
        for &reason in reasons {
            if let Fact::Equal(a, b) = self.facts[reason as usize] {
                unite(&mut class, a, b);
            }
        }
        loop {
            let mut changed = false;
            for a in self.congruence.nodes() {
                for b in self.congruence.nodes() {
                    let (Some((f, x)), Some((g, y))) = (self.application(a), self.application(b)) else {
                        continue;
                    };
                    let are_congruent = f == g
                        && x.len() == y.len()
                        && x.iter().zip(y).all(|(x, y)| class[x.index()] == class[y.index()]);
                    if are_congruent && class[a.index()] != class[b.index()] {
                        changed |= unite(&mut class, a, b);
                    }
                }
            }
            if !changed {
                return class;
            }
        }
    }

    fn is_contradictory(&self, reasons: &[u32]) -> bool {
        let class = self.classes(reasons);
        let values: Vec<Node> =
            self.congruence.nodes().filter(|&node| self.congruence.is_value(node)).collect();
        let same = |a: Node, b: Node| class[a.index()] == class[b.index()];
        let by_values = values.iter().enumerate().any(|(i, &a)| values[..i].iter().any(|&b| same(a, b)));
        by_values
            || reasons.iter().any(|&reason| match self.facts[reason as usize] {
                Fact::Distinct(a, b) => same(a, b),
                Fact::Equal(..) => false,
            })
    }

    fn close(&mut self) {
        match self.congruence.close() {
            Ok(()) => {
                assert!(!self.is_contradictory(&self.current), "no contradiction should be missed");
                let class = self.classes(&self.current);
                for a in self.congruence.nodes() {
                    for b in self.congruence.nodes().take(a.index()) {
                        let expected = class[a.index()] == class[b.index()];
                        assert_eq!(self.congruence.are_equal(a, b), expected, "{a} and {b}");
                        if expected && (a.index() + b.index()) % 3 == 0 {
                            let reasons = self.congruence.explain(&[(a, b)]);
                            let explained = self.classes(&reasons);
                            assert_eq!(
                                explained[a.index()],
                                explained[b.index()],
                                "{a} = {b} by {reasons:?}"
                            );
                            assert!(reasons.iter().all(|reason| self.current.contains(reason)));
                            self.certify(&reasons, Fact::Distinct(a, b));
                        }
                    }
                }
                self.consequences();
            }
            Err(conflict) => {
                let reasons = self.congruence.explain_conflict(conflict);
                assert!(reasons.iter().all(|reason| self.current.contains(reason)));
                assert!(self.is_contradictory(&reasons), "{reasons:?} should contradict each other");
                let facts: Vec<(Fact, u32)> =
                    reasons.iter().map(|&reason| (self.facts[reason as usize], reason)).collect();
                let certificate = certify(&self.congruence, &facts).expect("the facts contradict each other");
                assert_eq!(check(&certificate, self), Ok(()));
                self.explained += 1;
            }
        }
    }

    /// Asserts that `reasons` and `fact` contradict each other, with a certificate.
    fn certify(&mut self, reasons: &[u32], fact: Fact) {
        let mut facts: Vec<(Fact, u32)> =
            reasons.iter().map(|&reason| (self.facts[reason as usize], reason)).collect();
        let reason = self.facts.len() as u32;
        facts.push((fact, reason));
        let certificate = certify(&self.congruence, &facts).expect("the facts contradict each other");
        self.facts.push(fact);
        assert_eq!(check(&certificate, self), Ok(()));
        self.facts.pop();
    }

    fn consequences(&mut self) {
        let mut consequences = Vec::new();
        self.congruence.drain_consequences(&mut consequences);
        for consequence in consequences {
            match consequence {
                Consequence::Equal(watch) => {
                    let (a, b) = self.congruence.watched(watch);
                    let reasons = self.congruence.explain(&[(a, b)]);
                    self.certify(&reasons, Fact::Distinct(a, b));
                }
                Consequence::Values { watch, left, right } => {
                    let (a, b) = self.congruence.watched(watch);
                    let reasons = self.congruence.explain(&[(a, left), (b, right)]);
                    self.certify(&reasons, Fact::Equal(a, b));
                }
                Consequence::Disequality { watch, left, right, reason } => {
                    let (a, b) = self.congruence.watched(watch);
                    let mut reasons = self.congruence.explain(&[(a, left), (b, right)]);
                    reasons.push(reason);
                    self.certify(&reasons, Fact::Equal(a, b));
                }
            }
            self.explained += 1;
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Leaf => {
                self.congruence.leaf();
            }
            Event::Value => {
                self.congruence.value();
            }
            Event::Apply { function, arguments } => {
                let arguments: Vec<Node> = arguments.into_iter().map(|number| self.node(number)).collect();
                if self.seen.insert((function, arguments.clone())) {
                    self.congruence.apply(function, &arguments);
                }
            }
            Event::Watch(a, b) => {
                let watch = self.congruence.watch(self.node(a), self.node(b));
                self.watches.push(watch);
            }
            Event::Merge(a, b) => self.tell(Fact::Equal(self.node(a), self.node(b))),
            Event::Disequal(a, b) => self.tell(Fact::Distinct(self.node(a), self.node(b))),
            Event::Push => {
                self.levels.push(self.current.len());
                self.congruence.push();
            }
            Event::Backtrack(number) => {
                let level = number % (self.levels.len() + 1);
                if level < self.levels.len() {
                    self.current.truncate(self.levels[level]);
                    self.levels.truncate(level);
                }
                self.congruence.backtrack(level);
            }
            Event::Close => self.close(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn closure_and_explanations_agree_with_a_naive_closure(events in prop::collection::vec(event(), 1..60)) {
        let mut scenario = Scenario::new();
        for event in events {
            scenario.happen(event);
        }
        scenario.close();
    }
}

#[test]
fn a_wrong_certificate_is_refused() {
    let mut scenario = Scenario::new();
    let (a, b, c) = (scenario.congruence.leaf(), scenario.congruence.leaf(), scenario.congruence.leaf());
    let (fa, fc) = (scenario.congruence.apply(0, &[a]), scenario.congruence.apply(0, &[c]));
    scenario.tell(Fact::Equal(a, b));
    scenario.tell(Fact::Equal(b, c));
    scenario.tell(Fact::Distinct(fa, fc));
    let conflict = scenario.congruence.close().expect_err("a contradiction");
    assert_eq!(scenario.congruence.explain_conflict(conflict), [0, 1, 2]);
    let facts: Vec<(Fact, u32)> = scenario.facts.iter().copied().zip(0..).collect();
    let good = certify(&scenario.congruence, &facts).expect("a contradiction");
    assert_eq!(check(&good, &scenario), Ok(()));
    assert!(certify(&scenario.congruence, &facts[..2]).is_none());

    let mut missing = good.clone();
    let Contradiction::Disequality { chain, .. } = &mut missing.contradiction else {
        panic!("a disequality")
    };
    chain.steps.clear();
    assert_eq!(check(&missing, &scenario), Err(CertificateError::Chain(fa, fc)));

    for wrong in 0..good.steps.len() {
        let mut changed = good.clone();
        match &mut changed.steps[wrong] {
            Step::Fact { right, .. } => *right = fa,
            Step::Congruence { arguments, .. } => {
                arguments[0].steps.pop();
            }
        }
        assert!(check(&changed, &scenario).is_err(), "step {wrong}");
    }
}

#[test]
fn a_long_chain_of_congruences_is_explained_without_recursion() {
    const LENGTH: usize = 20_000;
    let mut congruence = Congruence::new();
    let (mut left, mut right) = (congruence.leaf(), congruence.leaf());
    congruence.merge(left, right, 7);
    for _ in 0..LENGTH {
        left = congruence.apply(0, &[left]);
        right = congruence.apply(0, &[right]);
    }
    congruence.push();
    congruence.disequal(left, right, 9);
    let conflict = congruence.close().expect_err("a contradiction");
    assert_eq!(congruence.explain_conflict(conflict), [7, 9]);
    let (first, second) = (Node::new(0), Node::new(1));
    let facts = [(Fact::Equal(first, second), 7), (Fact::Distinct(left, right), 9)];
    let certificate = certify(&congruence, &facts).expect("a contradiction");
    assert_eq!(certificate.steps.len(), LENGTH + 1);
}
