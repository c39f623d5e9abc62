//! The iterations of the solver, one by one.

use super::*;
use crate::domain::{Counts, Domain, Edge, Row};
use crate::solver::Progress;
use horn::Atom;
use std::cell::RefCell;
use std::rc::Rc;
use terms::Value;

/// Writes down the templates after each change.
struct Recorder {
    inner: Box<dyn Domain>,
    seen: Rc<RefCell<Vec<String>>>,
}

impl Domain for Recorder {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn to_pre_constraints(&self, pool: &mut TermPool, relation: Relation) -> Vec<Term> {
        self.inner.to_pre_constraints(pool, relation)
    }

    fn make_not_post_constraints(&self, pool: &mut TermPool, edge: Edge) -> Vec<(Row, Term)> {
        self.inner.make_not_post_constraints(pool, edge)
    }

    fn get_required_values(&self, pool: &mut TermPool, edge: Edge, row: Row) -> Vec<Term> {
        self.inner.get_required_values(pool, edge, row)
    }

    fn set_values(&mut self, values: Vec<Value>) {
        self.inner.set_values(values);
    }

    fn edit_row(&mut self, pool: &mut TermPool, edge: Edge, row: Row) -> bool {
        let is_changed = self.inner.edit_row(pool, edge, row);
        let now = self.inner.to_pre_constraints(pool, edge.head);
        let now = pool.conjuncts(&now);
        let now: Vec<String> = now.iter().map(|&conjunct| pool.display(conjunct).to_string()).collect();
        // One bound is edited after the other.
        if !now.iter().any(|conjunct| conjunct == "false") {
            self.seen.borrow_mut().push(now.join(" and "));
        }
        is_changed
    }

    fn suspend(&mut self, row: Row) {
        self.inner.suspend(row);
    }

    fn not_satisfiable(&mut self) -> bool {
        self.inner.not_satisfiable()
    }

    fn counts(&self) -> Vec<(String, Counts)> {
        self.inner.counts()
    }
}

/// The example of Marušák's thesis, §4.3: the values of `i` at the end of the body of `int i = 10;
/// while (i > 0) i--;`. Each model extends the interval by one value, from 9 down to 0.
#[test]
fn the_interval_of_a_countdown_grows_by_one_value_each_time() {
    let mut pool = TermPool::new();
    let (i, next) = (pool.symbol("i", Sort::Int), pool.symbol("i+", Sort::Int));
    let [zero, one, ten] = [0, 1, 10].map(|value| pool.int(value));
    let mut system = System::default();
    let arguments = vec![Argument { name: "i".to_owned(), symbol: i }];
    let end =
        system.relations.push(RelationData { name: "end".to_owned(), arguments, origin: String::new() });
    for (body, before) in [(vec![], ten), (vec![Atom { relation: end, arguments: vec![i] }], i)] {
        let (enters, after) = (pool.lt(zero, before), pool.sub(before, one));
        let update = Update { after: next, value: Some(after) };
        let updates: Updates = [(i, update)].into_iter().collect();
        let head = Some(system.updated(end, &updates));
        let clause = ClauseData::new(&mut pool, body, enters, (head, updates), String::new());
        system.clauses.push(clause);
    }
    let limits = Limits::default();
    let factory = backend_yices::factory();
    let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
    let contexts = Contexts::shared(&mut *prover);
    let mut inference = Inference::new(&mut pool, &system, &Suggestions::default(), contexts);
    // The thesis has no simulation.
    inference.states.clear();
    let spec: Spec = "intervals".parse().expect("a domain");
    let seen = Rc::default();
    let inner = spec.stages[0].make(&mut pool, &inference.base(Search::Enumerate));
    let recorder = Recorder { inner, seen: Rc::clone(&seen) };
    inference.progress = Some(Progress::new(&inference.system, Box::new(recorder)));
    inference.resume(&mut pool, &limits).expect("a fixpoint");
    let seen = seen.borrow();
    let strictly_below = |low: i64| if low > 0 { format!("{}", low - 1) } else { "(- 1)".to_owned() };
    let expected: Vec<String> =
        (0..10).rev().map(|low| format!("(<= i 9) and (< {} i)", strictly_below(low))).collect();
    assert_eq!(*seen, expected);
}
