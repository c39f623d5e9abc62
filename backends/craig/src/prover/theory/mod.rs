//! The theory combination behind the search's trait.
//!
//! # Idea
//! [`Combination`] knows the meaning of atoms, passes literals to the theories, and turns their
//! answers into lemmas. The theories are congruence closure, linear arithmetic and arrays. Another
//! theory needs a kind of atom ([`AtomKind`]), a place where it receives its literals (`assign`),
//! and a place where it is called (`propagate`, `final_check`).
//!
//! Bit vectors belong to the search and, as arguments and results of functions, to the closure;
//! `words` keeps the two consistent. Numbers (`numbers`) belong to the simplex and, likewise, to
//! the closure; `arithmetic` keeps those consistent.
//!
//! For interpolation, atoms created in the search are pure where possible (`partition`).
//!
//! **New atoms.** The search passes a variable to the theory once, when it is assigned. A new atom
//! therefore needs an unassigned variable: if its gate already has a variable that does not
//! qualify, a new variable is defined to be equivalent to it.
//!
//! **Certificates.** A lemma of the closure is valid by its literals alone. Its proof is
//! reconstructed on demand ([`Combination::certificate`]), so the search stores no certificate. An
//! arithmetic lemma has a certificate that is stored. The clauses that define an atom created in
//! the search are lemmas, too, which extend the language.

mod arithmetic;
mod arrays;
mod numbers;
mod partition;
mod words;

pub use arithmetic::{BRANCHES, Certificates, WrongLemma};
pub(crate) use arrays::Candidate;
pub use arrays::{ArrayLemma, ArrayTerm, DEEPEST, WrongArrayLemma, depth};
pub(crate) use numbers::kind_of;
pub use numbers::{Comparison, Inequality, LONGEST, Linear, Name, Number};
pub use partition::{Partition, Parts};
pub(crate) use words::word_value;

use crate::prover::arith::Bound;
use crate::prover::cnf::bits::Word;
use crate::prover::cnf::clauses::{ClauseSink, Encoder, Polarity, Tag, Tags};
use crate::prover::cnf::gates::{Gate, Gates, Signal};
use crate::prover::euf::{self, Certificate, Congruence, Consequence, Fact, Node, Watch};
use crate::prover::sat::{Consequences, FinalCheck, Literal, Theory, Variable};
use arrays::Arrays;
use indexmap::IndexMap;
use numbers::Numbers;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use terms::Term;
use terms::entity::{Entity, SecondaryMap};

/// The meaning of a true variable for a theory; the negation has the opposite meaning.
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    /// The literal that states the atom.
    pub literal: Literal,
    /// The kind of atom.
    pub kind: AtomKind,
}

/// The kinds of atoms, by theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomKind {
    /// Two nodes are equal.
    Equality(Node, Node),
    /// A Boolean node is true.
    Truth(Node),
    /// A number is at most a constant, or less.
    Bound(Inequality),
}

/// The meaning of an input of the graph of gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A Boolean symbol or application.
    Truth(Term),
    /// A bit of a symbol or application, counted from the least significant one.
    Bit(Term, u32),
    /// The equality of two nodes.
    Equality(Node, Node),
    /// A Boolean node created in the search.
    NodeTruth(Node),
    /// A bit of a node created in the search.
    NodeBit(Node, u32),
    /// A bound of a number: [`Combination::inequality_term`].
    Inequality(Inequality),
    /// A copy of another signal.
    Copy(Signal),
}

/// The justification of a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lemma {
    /// Congruence: [`Combination::certificate`].
    Congruence,
    /// A definition with this tag.
    Definition(u32),
    /// Arithmetic: [`Combination::arithmetic_certificate`].
    Arithmetic(u32),
    /// The theory of arrays: [`Combination::array_lemma`].
    Array(u32),
}

impl Lemma {
    /// Encodes the justification as the certificate number of the lemma.
    pub fn number(self) -> u32 {
        match self {
            Lemma::Congruence => 0,
            Lemma::Definition(tag) => 3 * tag + 1,
            Lemma::Arithmetic(certificate) => 3 * certificate + 2,
            Lemma::Array(lemma) => 3 * lemma + 3,
        }
    }

    /// Decodes a certificate number.
    pub fn from_number(number: u32) -> Self {
        match number.checked_sub(1) {
            None => Lemma::Congruence,
            Some(rest) => match rest % 3 {
                0 => Lemma::Definition(rest / 3),
                1 => Lemma::Arithmetic(rest / 3),
                _ => Lemma::Array(rest / 3),
            },
        }
    }
}

/// The gates, clauses and theories of one prover; see the [module](self).
#[derive(Clone, Debug)]
pub struct Combination {
    /// The Boolean functions.
    pub gates: Gates,
    /// The clauses written for them.
    pub encoder: Encoder,
    /// The origins of clauses.
    pub tags: Tags,
    congruence: Congruence,
    /// The nodes of false and true.
    truth: [Node; 2],
    terms: SecondaryMap<Node, Option<Term>>,
    sources: SecondaryMap<Gate, Option<Source>>,
    /// The Boolean nodes other than the constants, with their signals, whose variables are atoms.
    truths: IndexMap<Node, Signal, FxBuildHasher>,
    /// The nodes of bit vectors with their bits, whose variables are atoms.
    words: IndexMap<Node, Word, FxBuildHasher>,
    /// The value nodes by their bits: different value nodes denote different values.
    constants: FxHashMap<Word, Node>,
    /// Words that are the sum of a word and a constant. For lookup only.
    sums: FxHashMap<Word, (Word, Word)>,
    applications: Vec<Node>,
    /// For lookup only.
    equalities: FxHashMap<(Node, Node), Signal>,
    watches: SecondaryMap<Watch, Option<Literal>>,
    numbers: Numbers,
    arrays: Arrays,
    certificates: Certificates,
    partition: Option<Partition>,
    is_atom: SecondaryMap<Variable, bool>,
    atoms: SecondaryMap<Variable, SmallVec<[Atom; 1]>>,
    values: SecondaryMap<Variable, Option<bool>>,
    trail: Vec<Variable>,
    /// The length of the trail at which each level begins.
    levels: Vec<usize>,
}

impl Default for Combination {
    fn default() -> Self {
        let mut congruence = Congruence::new();
        let truth = [congruence.value(), congruence.value()];
        let mut tags = Tags::default();
        // The tag of gate 0.
        tags.number(Tag::Truth);
        Combination {
            gates: Gates::default(),
            encoder: Encoder::default(),
            tags,
            congruence,
            truth,
            terms: SecondaryMap::new(),
            sources: SecondaryMap::new(),
            truths: IndexMap::default(),
            words: IndexMap::default(),
            constants: FxHashMap::default(),
            sums: FxHashMap::default(),
            applications: Vec::new(),
            equalities: FxHashMap::default(),
            watches: SecondaryMap::new(),
            numbers: Numbers::default(),
            arrays: Arrays::default(),
            certificates: Certificates::default(),
            partition: None,
            is_atom: SecondaryMap::new(),
            atoms: SecondaryMap::new(),
            values: SecondaryMap::new(),
            trail: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl Combination {
    /// Creates a combination without terms that keeps or drops the certificates of lemmas.
    pub fn new(certificates: Certificates) -> Self {
        Combination { certificates, ..Self::default() }
    }

    /// Sets the tag of gates created from now on, and of the clauses of `require`.
    pub fn begin(&mut self, tag: Tag) -> u32 {
        let number = self.tags.number(tag);
        self.gates.set_tag(number);
        number
    }

    /// Creates a free variable.
    pub fn input(&mut self, source: Source) -> Signal {
        let signal = self.gates.input();
        self.sources[signal.gate()] = Some(source);
        signal
    }

    /// The meaning of an input; `None` for other gates.
    pub fn source(&self, gate: Gate) -> Option<Source> {
        self.sources[gate]
    }

    /// The node of a truth value.
    pub fn truth(&self, value: bool) -> Node {
        self.truth[usize::from(value)]
    }

    /// Creates a node for a term of an unstructured sort.
    pub fn leaf(&mut self, term: Term) -> Node {
        let node = self.congruence.leaf();
        self.terms[node] = Some(term);
        node
    }

    /// Creates a node for a Boolean term that is not constant.
    pub fn boolean(&mut self, term: Term, signal: Signal, sink: &mut impl ClauseSink) -> Node {
        let node = self.leaf(term);
        self.connect_truth(node, signal, sink);
        node
    }

    /// Creates a node for a bit vector. Constant bits make it a value.
    pub fn word(&mut self, term: Term, bits: &[Signal], sink: &mut impl ClauseSink) -> Node {
        let is_constant = bits.iter().all(|bit| bit.as_constant().is_some());
        let node = if is_constant { self.value_node(bits) } else { self.congruence.leaf() };
        if self.terms[node].is_none() {
            self.terms[node] = Some(term);
        }
        self.connect_word(node, bits, sink);
        node
    }

    /// Creates a node for a function applied to nodes. For a bit vector or a Boolean,
    /// [`connect_word`](Self::connect_word) or [`connect_truth`](Self::connect_truth) must follow.
    pub fn apply(&mut self, term: Term, function: u32, arguments: &[Node]) -> Node {
        let node = self.congruence.apply(function, arguments);
        self.terms[node] = Some(term);
        self.applications.push(node);
        node
    }

    /// Connects a node to its bits.
    pub fn connect_word(&mut self, node: Node, bits: &[Signal], sink: &mut impl ClauseSink) {
        if !self.words.contains_key(&node) {
            let word = bits.iter().map(|&bit| self.observed(bit, sink)).collect();
            self.words.insert(node, word);
        }
    }

    /// Connects a Boolean node to its signal.
    pub fn connect_truth(&mut self, node: Node, signal: Signal, sink: &mut impl ClauseSink) {
        let signal = self.atom_signal(signal, sink);
        let literal = self.add_atom(signal, AtomKind::Truth(node));
        let watch = self.congruence.watch(node, self.truth(true));
        self.watches[watch] = Some(literal);
        self.truths.insert(node, signal);
    }

    /// The signal of the equality of two nodes of one sort.
    pub fn equality(&mut self, left: Node, right: Node, sink: &mut impl ClauseSink) -> Signal {
        if left == right {
            return Signal::TRUE;
        }
        let pair = (left.min(right), left.max(right));
        if let Some(&known) = self.equalities.get(&pair) {
            return known;
        }
        let same = match (self.original_bits(left), self.original_bits(right)) {
            (Some(a), Some(b)) => Some(self.equal_bits(&a, &b)),
            _ => match (self.truth_signal(left), self.truth_signal(right)) {
                (Some(a), Some(b)) => Some(self.gates.iff(a, b)),
                _ => self.equal_numbers(left, right, sink),
            },
        };
        let signal = match same {
            Some(same) => self.atom_signal(same, sink),
            None => {
                let same = self.input(Source::Equality(left, right));
                // Without polarity: the user of the signal requests one.
                let literal = self.encoder.name(same, sink);
                self.is_atom[literal.variable()] = true;
                same
            }
        };
        let literal = self.add_atom(signal, AtomKind::Equality(left, right));
        self.equalities.insert(pair, signal);
        self.note_equality(pair, signal);
        let watch = self.congruence.watch(left, right);
        self.watches[watch] = Some(literal);
        signal
    }

    /// The atoms of a variable.
    pub fn atoms(&self, variable: Variable) -> &[Atom] {
        &self.atoms[variable]
    }

    /// The term of a node other than a truth value.
    pub fn term(&self, node: Node) -> Option<Term> {
        self.terms[node]
    }

    /// Sets the term of a node that has none.
    pub fn set_term(&mut self, node: Node, term: Term) {
        self.terms[node].get_or_insert(term);
    }

    /// The certificate of a congruence lemma: the negations of its literals contradict each other.
    /// `None` if they do not.
    pub fn certificate(&self, lemma: &[Literal]) -> Option<Certificate> {
        let facts: Vec<(Fact, u32)> = lemma
            .iter()
            .flat_map(|&literal| self.facts(!literal).map(move |fact| (fact, reason(!literal))))
            .collect();
        euf::certify(&self.congruence, &facts)
    }

    /// The applications, oldest first.
    pub fn applications(&self) -> &[Node] {
        &self.applications
    }

    /// The function and arguments of an application.
    pub fn application(&self, node: Node) -> Option<&euf::Application> {
        self.congruence.application(node)
    }

    /// The numeric or bit-vector constant that is equal to a node in the current assignment.
    pub fn constant(&self, node: Node) -> Option<Term> {
        self.congruence.value_of(node).and_then(|value| self.terms[value])
    }

    /// All nodes, oldest first.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.congruence.nodes()
    }

    /// The representative of the nodes that are equal to this one in the current assignment.
    pub fn representative(&self, node: Node) -> Node {
        self.congruence.representative(node)
    }

    /// The bits of a node, if it is a bit vector.
    pub fn word_bits(&self, node: Node) -> Option<&[Signal]> {
        self.words.get(&node).map(Vec::as_slice)
    }

    /// The signal of a Boolean node.
    pub fn truth_signal(&self, node: Node) -> Option<Signal> {
        match self.truth.iter().position(|&truth| truth == node) {
            Some(value) => Some(Signal::constant(value == 1)),
            None => self.truths.get(&node).copied(),
        }
    }

    /// The value of a signal whose gate is an atom or constant.
    fn value(&self, signal: Signal) -> Option<bool> {
        if let Some(value) = signal.as_constant() {
            return Some(value);
        }
        let value = self.values[self.encoder.variable(signal.gate())?]?;
        Some(value == signal.is_positive())
    }

    /// The facts of a literal for the closure.
    fn facts(&self, literal: Literal) -> impl Iterator<Item = Fact> + '_ {
        self.atoms[literal.variable()].iter().filter_map(move |atom| {
            Some(match (atom.kind, atom.literal == literal) {
                (AtomKind::Equality(left, right), true) => Fact::Equal(left, right),
                (AtomKind::Equality(left, right), false) => Fact::Distinct(left, right),
                (AtomKind::Truth(node), value) => Fact::Equal(node, self.truth(value)),
                (AtomKind::Bound(_), _) => return None,
            })
        })
    }

    /// The bounds of a literal for the simplex.
    fn bounds(&self, literal: Literal) -> impl Iterator<Item = (Inequality, usize)> + '_ {
        self.atoms[literal.variable()].iter().filter_map(move |atom| match atom.kind {
            AtomKind::Bound(inequality) => Some((inequality, usize::from(atom.literal != literal))),
            _ => None,
        })
    }

    /// The bound of a literal.
    pub fn bound(&self, literal: Literal) -> Option<&Bound> {
        self.bounds(literal).next().map(|(inequality, negated)| &self.numbers.bounds[inequality][negated])
    }

    /// The bound of a literal, and the number of the inequality.
    fn bound_of(&self, literal: Literal) -> Option<(&Bound, usize)> {
        let (inequality, negated) = self.bounds(literal).next()?;
        Some((&self.numbers.bounds[inequality][negated], inequality.index()))
    }

    /// The value node with these constant bits.
    fn value_node(&mut self, bits: &[Signal]) -> Node {
        if let Some(&known) = self.constants.get(bits) {
            return known;
        }
        let node = self.congruence.value();
        self.constants.insert(bits.to_vec(), node);
        node
    }

    /// An equivalent signal whose value the search reports.
    fn observed(&mut self, signal: Signal, sink: &mut impl ClauseSink) -> Signal {
        let is_observed = signal.as_constant().is_some()
            || self.encoder.variable(signal.gate()).is_some_and(|variable| self.is_atom[variable]);
        if is_observed { signal } else { self.atom_signal(signal, sink) }
    }

    /// An equivalent signal whose variable is unassigned, so that the search will report its value.
    fn atom_signal(&mut self, signal: Signal, sink: &mut impl ClauseSink) -> Signal {
        let known = self.encoder.variable(signal.gate());
        let is_fit = known.is_none_or(|variable| self.is_atom[variable] && self.values[variable].is_none());
        let literal = self.encoder.literal(&self.gates, signal, Polarity::Both, sink);
        if is_fit {
            self.is_atom[literal.variable()] = true;
            return signal;
        }
        let copy = self.input(Source::Copy(signal));
        let copied = self.encoder.literal(&self.gates, copy, Polarity::Both, sink);
        let tag = self.gates.tag(copy.gate());
        sink.add_clause(&[!copied, literal], tag);
        sink.add_clause(&[copied, !literal], tag);
        self.is_atom[copied.variable()] = true;
        copy
    }

    fn add_atom(&mut self, signal: Signal, kind: AtomKind) -> Literal {
        let literal = self.encoder.known_literal(signal).expect("an atom has a variable");
        self.atoms[literal.variable()].push(Atom { literal, kind });
        literal
    }

    /// Pairs of nodes on which the theories disagree although each theory is satisfied.
    fn disagreements(&self) -> Vec<(Node, Node)> {
        let mut pairs = self.equal_words();
        pairs.extend(self.unequal_numbers());
        if pairs.is_empty() { self.unequal_results() } else { pairs }
    }

    /// Closes the facts under congruence, and turns consequences into lemmas.
    fn close(&mut self, lemmas: &mut Vec<(Vec<Literal>, u32)>) {
        let mut consequences = Vec::new();
        let closed = self.congruence.close();
        self.congruence.drain_consequences(&mut consequences);
        if let Err(conflict) = closed {
            let reasons = self.congruence.explain_conflict(conflict);
            lemmas.push((denial(&reasons), Lemma::Congruence.number()));
            return;
        }
        for consequence in consequences {
            let (watch, value) = match consequence {
                Consequence::Equal(watch) => (watch, true),
                Consequence::Values { watch, .. } | Consequence::Disequality { watch, .. } => (watch, false),
            };
            let literal = self.watches[watch].expect("a watch has a literal");
            if self.values[literal.variable()].is_some() {
                continue;
            }
            let (x, y) = self.congruence.watched(watch);
            let reasons = match consequence {
                Consequence::Equal(_) => self.congruence.explain(&[(x, y)]),
                Consequence::Values { left, right, .. } => self.congruence.explain(&[(x, left), (y, right)]),
                Consequence::Disequality { left, right, reason, .. } => {
                    let mut reasons = self.congruence.explain(&[(x, left), (y, right)]);
                    reasons.push(reason);
                    reasons.sort_unstable();
                    reasons.dedup();
                    reasons
                }
            };
            let mut lemma = denial(&reasons);
            lemma.push(if value { literal } else { !literal });
            lemmas.push((lemma, Lemma::Congruence.number()));
        }
    }
}

impl Theory for Combination {
    fn is_atom(&self, variable: Variable) -> bool {
        self.is_atom[variable]
    }

    fn assign(&mut self, literal: Literal) {
        let variable = literal.variable();
        self.values[variable] = Some(literal.is_positive());
        self.trail.push(variable);
        let facts: SmallVec<[Fact; 2]> = self.facts(literal).collect();
        for fact in facts {
            match fact {
                Fact::Equal(left, right) => self.congruence.merge(left, right, reason(literal)),
                Fact::Distinct(left, right) => self.congruence.disequal(left, right, reason(literal)),
            }
        }
        let bounds: SmallVec<[(Inequality, usize); 1]> = self.bounds(literal).collect();
        for (inequality, negated) in bounds {
            self.assert_bound(inequality, negated, literal);
        }
    }

    fn push_level(&mut self, level: u32) {
        self.levels.push(self.trail.len());
        self.congruence.push();
        self.numbers.simplex.push();
        debug_assert_eq!(self.levels.len(), level as usize, "levels should be opened one by one");
    }

    fn backtrack(&mut self, level: u32) {
        let Some(&length) = self.levels.get(level as usize) else { return };
        self.levels.truncate(level as usize);
        for variable in self.trail.drain(length..) {
            self.values[variable] = None;
        }
        self.congruence.backtrack(level as usize);
        self.backtrack_numbers(level as usize);
    }

    fn propagate(&mut self, _fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences) {
        self.close(&mut consequences.lemmas);
        self.propagate_numbers(&mut consequences.lemmas);
    }

    fn final_check(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        self.complete(&mut consequences.decisions);
        if !consequences.decisions.is_empty() {
            return FinalCheck::Continue;
        }
        self.propagate(fresh, consequences);
        if !consequences.lemmas.is_empty() {
            return FinalCheck::Continue;
        }
        match self.check_integers(fresh, consequences) {
            FinalCheck::Consistent => {}
            other => return other,
        }
        let mut pairs = self.disagreements();
        if !pairs.is_empty() && self.separate(&pairs) {
            pairs = self.disagreements();
        }
        if pairs.is_empty() {
            return self.check_arrays(fresh, consequences);
        }
        self.add_equalities(&pairs, fresh, consequences);
        self.close(&mut consequences.lemmas);
        FinalCheck::Continue
    }
}

impl euf::Facts for Combination {
    fn application(&self, node: Node) -> Option<(u32, &[Node])> {
        self.congruence.application(node).map(|application| (application.function, &*application.arguments))
    }

    fn is_value(&self, node: Node) -> bool {
        self.congruence.is_value(node)
    }

    fn says(&self, reason: u32, fact: Fact) -> bool {
        let exchanged = match fact {
            Fact::Equal(left, right) => Fact::Equal(right, left),
            Fact::Distinct(left, right) => Fact::Distinct(right, left),
        };
        self.facts(literal(reason)).any(|said| said == fact || said == exchanged)
    }
}

/// The reason number of a literal.
fn reason(literal: Literal) -> u32 {
    u32::try_from(literal.index()).expect("there are fewer than 2^31 variables")
}

/// The literal of a reason.
fn literal(reason: u32) -> Literal {
    Literal::new(Variable::new((reason >> 1) as usize), reason & 1 == 0)
}

/// The clause that not all of these reasons hold.
fn denial(reasons: &[u32]) -> Vec<Literal> {
    reasons.iter().map(|&reason| !literal(reason)).collect()
}
