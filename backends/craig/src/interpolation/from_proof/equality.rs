//! Local proofs of congruence lemmas.
//!
//! # Idea
//! A certificate is replayed, from the facts to the contradiction, as resolution over axioms of
//! equality: transitivity of two equations and congruence of one application. An axiom is valid, so
//! it belongs to any part that knows its terms. If each axiom has such a part, the labeled system
//! needs no special rule for equality.
//!
//! * A step of the certificate proves a *path*: a sequence of terms in which neighbors occur in a
//!   common part, and for each pair of neighbors the equation with its proof. A fact is a path of
//!   two terms.
//! * The ends of a path that occur in a common part are proved equal by *triangles*: some inner
//!   term has neighbors that occur in a common part; the term is left out, and so on. Such chords
//!   always exist because spans are subtrees of a tree, and three terms that pairwise have a common
//!   part also have one together (`span`).
//! * A congruence `f(s) = f(t)` whose sides have no common part is *split*. On the path in the tree
//!   from one side to the other, some term c of the path from s to t (for each argument) crosses
//!   each edge, and the function is known all along, so `f(c)` is known on both ends of the edge.
//!   In the path `f(s), f(c₁), f(c₂), …, f(t)`, neighbors have common parts. So do the arguments of
//!   neighbors, which are proved equal as above.
//!
//! # Source
//! Fuchs, Goel, Grundy, Krstić, Tinelli, *Ground Interpolation for the Theory of Equality*, TACAS
//! 2009: colorable congruence graphs, and splitting of edges at shared terms.
//!
//! DIVERGENCE: the interpolant is not read off the graph of one cut. All cuts use the same local
//! proof, so that the interpolants form a tree interpolant.
//!
//! # Cost
//! One triangle per term of a path in the usual case, where neighbors share many parts; quadratic
//! in the worst case. A split creates at most as many applications as the path in the tree has
//! edges.
//!
//! # Limits
//! Facts whose sides have no common part are mixed and need widened names (`span`).

use super::derivation::{Derivation, Local};
use super::{Language, mixed};
use crate::prover::euf::{Certificate, Chain, Contradiction, Node, Step};
use crate::prover::sat::Literal;
use backends::Reason;
use rustc_hash::FxHashMap;
use terms::{Op, Term, TermPool};

/// A derived equation.
#[derive(Clone, Copy)]
struct Equation {
    literal: Literal,
    /// The step of a clause that contains the equation and negated facts. `None` if the equation is
    /// a fact.
    step: Option<u32>,
}

/// A sequence of terms, and for each two neighbors the equation.
#[derive(Clone, Default)]
struct Path {
    points: Vec<Term>,
    links: Vec<Equation>,
}

/// Adds the local proof of a lemma, or of a subset of its literals. Returns its last step.
pub(super) fn lemma(
    pool: &mut TermPool,
    derivation: &mut Derivation,
    language: &dyn Language,
    certificate: &Certificate,
) -> Result<u32, Reason> {
    let mut replay = Replay { pool, derivation, language, paths: Vec::new(), proved: FxHashMap::default() };
    for step in &certificate.steps {
        let path = replay.step(step)?;
        replay.paths.push(path);
    }
    match &certificate.contradiction {
        Contradiction::Disequality { chain, reason } => {
            let equation = replay.ends(chain)?;
            let fact = Literal::from_index(*reason as usize);
            if let (Some(step), true) = (equation.step, equation.literal == !fact) {
                return Ok(step);
            }
            // The disequality fact may state the equation in a different form, which needs an
            // axiom.
            let axiom = replay.axiom(&[!fact, !equation.literal])?;
            Ok(replay.resolve(axiom, &[equation]))
        }
        Contradiction::Values { chain } => {
            let equation = replay.ends(chain)?;
            let axiom = replay.axiom(&[!equation.literal])?;
            Ok(replay.resolve(axiom, &[equation]))
        }
    }
}

struct Replay<'a, 'd> {
    pool: &'a mut TermPool,
    derivation: &'a mut Derivation<'d>,
    language: &'a dyn Language,
    /// The path that each step of the certificate proves.
    paths: Vec<Path>,
    /// Equations of ends of paths; for lookup only.
    proved: FxHashMap<Literal, Equation>,
}

impl Replay<'_, '_> {
    fn step(&mut self, step: &Step) -> Result<Path, Reason> {
        match step {
            Step::Fact { left, right, reason } => {
                let fact = Literal::from_index(*reason as usize);
                let (left, right) = (self.term(*left)?, self.term(*right)?);
                let literal = self.equation(left, right)?;
                let step = if literal == fact { None } else { Some(self.axiom(&[!fact, literal])?) };
                Ok(Path { points: vec![left, right], links: vec![Equation { literal, step }] })
            }
            Step::Congruence { left, right, arguments } => {
                let paths: Vec<Path> =
                    arguments.iter().map(|chain| self.chain(chain)).collect::<Result<_, _>>()?;
                let (left, right) = (self.term(*left)?, self.term(*right)?);
                self.congruence(left, right, &paths)
            }
        }
    }

    /// The path from the start of a chain to its end.
    fn chain(&mut self, chain: &Chain) -> Result<Path, Reason> {
        let start = self.term(chain.start)?;
        let mut path = Path { points: vec![start], links: Vec::new() };
        for &step in &chain.steps {
            let next = &self.paths[step as usize];
            let (first, last) = (next.points.first().copied(), next.points.last().copied());
            let end = path.points.last().copied();
            if first == end {
                path.points.extend(&next.points[1..]);
                path.links.extend(&next.links);
            } else if last == end {
                path.points.extend(next.points.iter().rev().skip(1));
                path.links.extend(next.links.iter().rev());
            } else {
                return Err(Reason::Fault("equality certificate: broken chain".to_owned()));
            }
        }
        Ok(path)
    }

    fn ends(&mut self, chain: &Chain) -> Result<Equation, Reason> {
        let path = self.chain(chain)?;
        self.prove(&path)
    }

    /// The path between two applications, given the paths between their arguments.
    fn congruence(&mut self, left: Term, right: Term, arguments: &[Path]) -> Result<Path, Reason> {
        let (from, to) = self.spans(left, right);
        let common = self.derivation.spans.meet(from, to);
        let starts: Vec<usize> = vec![0; arguments.len()];
        let ends: Vec<usize> = arguments.iter().map(|path| path.points.len() - 1).collect();
        if !self.derivation.spans.is_empty(common) {
            let link = self.congruent(left, right, arguments, (&starts, &ends))?;
            return Ok(Path { points: vec![left, right], links: vec![link] });
        }
        let Op::Apply(function) = self.pool.op(left) else { return Err(mixed("congruence of an operator")) };
        let mut path = Path { points: vec![left], links: Vec::new() };
        let mut at = starts;
        let bridge = self.derivation.spans.bridge(from, to);
        for edge in bridge.windows(2) {
            let crossing: Vec<usize> = arguments
                .iter()
                .zip(&at)
                .map(|(path, &at)| self.crossing(path, at, edge))
                .collect::<Option<_>>()
                .ok_or_else(|| mixed("congruence"))?;
            if crossing == at && path.points.len() > 1 {
                continue;
            }
            let terms: Vec<Term> =
                arguments.iter().zip(&crossing).map(|(path, &place)| path.points[place]).collect();
            let middle = self.pool.apply(function, &terms);
            self.extend(&mut path, middle, arguments, (&at, &crossing))?;
            at = crossing;
        }
        self.extend(&mut path, right, arguments, (&at, &ends))?;
        Ok(path)
    }

    /// Adds an application to a path of applications.
    fn extend(
        &mut self,
        path: &mut Path,
        next: Term,
        arguments: &[Path],
        places: (&[usize], &[usize]),
    ) -> Result<(), Reason> {
        let last = path.points[path.points.len() - 1];
        if last != next {
            path.links.push(self.congruent(last, next, arguments, places)?);
            path.points.push(next);
        }
        Ok(())
    }

    /// The position of a term of the path that occurs at both ends of the edge, preferably the
    /// current one.
    fn crossing(&mut self, path: &Path, at: usize, edge: &[usize]) -> Option<usize> {
        let places = std::iter::once(at).chain(0..path.points.len());
        let mut places = places.filter(|&place| {
            let span = self.derivation.spans.of(self.pool, path.points[place]);
            edge.iter().all(|&node| self.derivation.spans.contains(span, node))
        });
        places.next()
    }

    /// The equation of two applications whose arguments are at these positions of their paths.
    fn congruent(
        &mut self,
        left: Term,
        right: Term,
        arguments: &[Path],
        (from, to): (&[usize], &[usize]),
    ) -> Result<Equation, Reason> {
        let mut equal = Vec::with_capacity(arguments.len());
        for ((path, &from), &to) in arguments.iter().zip(from).zip(to) {
            if path.points[from] == path.points[to] {
                continue;
            }
            let (start, end) = (from.min(to), from.max(to));
            let part =
                Path { points: path.points[start..=end].to_vec(), links: path.links[start..end].to_vec() };
            equal.push(self.prove(&part)?);
        }
        self.conclude(left, right, &equal)
    }

    /// Proves the equation of the ends of a path by triangles.
    fn prove(&mut self, path: &Path) -> Result<Equation, Reason> {
        let (start, end) = (path.points[0], path.points[path.points.len() - 1]);
        if let [link] = path.links[..] {
            return Ok(link);
        }
        let goal = self.equation(start, end)?;
        if let Some(&known) = self.proved.get(&goal) {
            return Ok(known);
        }
        let mut path = path.clone();
        while path.links.len() > 1 {
            let length = path.links.len();
            path = self.shorten(&path)?;
            if path.links.len() == length {
                return Err(mixed("chain of equations"));
            }
        }
        let equation = match path.links[..] {
            [link] => link,
            _ => Equation { literal: goal, step: Some(self.axiom(&[goal])?) },
        };
        self.proved.insert(goal, equation);
        Ok(equation)
    }

    /// Removes cycles, and terms whose neighbors have a common part, from the path.
    fn shorten(&mut self, path: &Path) -> Result<Path, Reason> {
        let mut short = Path { points: vec![path.points[0]], links: Vec::new() };
        for (&point, &link) in path.points[1..].iter().zip(&path.links) {
            if let Some(place) = short.points.iter().position(|&before| before == point) {
                short.points.truncate(place + 1);
                short.links.truncate(place);
                continue;
            }
            short.points.push(point);
            short.links.push(link);
            while let [.., before, _, last] = short.points[..] {
                let (a, b) = self.spans(before, last);
                let common = self.derivation.spans.meet(a, b);
                if self.derivation.spans.is_empty(common) {
                    break;
                }
                let links = short.links.split_off(short.links.len() - 2);
                let chord = self.conclude(before, last, &links)?;
                short.points.truncate(short.points.len() - 2);
                short.points.push(last);
                short.links.push(chord);
            }
        }
        Ok(short)
    }

    /// Derives `left = right` from these equations by an axiom.
    fn conclude(&mut self, left: Term, right: Term, because: &[Equation]) -> Result<Equation, Reason> {
        let literal = self.equation(left, right)?;
        if let Some(&known) = because.iter().find(|known| known.literal == literal) {
            return Ok(known);
        }
        let mut clause: Vec<Literal> = Vec::with_capacity(because.len() + 1);
        let mut used: Vec<Equation> = Vec::with_capacity(because.len());
        for &equation in because {
            if !clause.contains(&!equation.literal) {
                clause.push(!equation.literal);
                used.push(equation);
            }
        }
        clause.push(literal);
        let axiom = self.axiom(&clause)?;
        Ok(Equation { literal, step: Some(self.resolve(axiom, &used)) })
    }

    fn resolve(&mut self, axiom: u32, equations: &[Equation]) -> u32 {
        let rest: Vec<(Literal, u32)> = equations
            .iter()
            .filter_map(|equation| equation.step.map(|step| (!equation.literal, step)))
            .collect();
        if rest.is_empty() { axiom } else { self.derivation.push(Local::Chain { first: axiom, rest }) }
    }

    fn axiom(&mut self, literals: &[Literal]) -> Result<u32, Reason> {
        self.derivation.valid(literals)?.ok_or_else(|| mixed("axiom of equality"))
    }

    fn equation(&mut self, left: Term, right: Term) -> Result<Literal, Reason> {
        let term = self.pool.eq(left, right);
        self.derivation.literal_of(self.pool, term).ok_or_else(|| mixed("equation"))
    }

    fn spans(&mut self, left: Term, right: Term) -> (super::span::Span, super::span::Span) {
        let spans = &mut self.derivation.spans;
        (spans.of(self.pool, left), spans.of(self.pool, right))
    }

    fn term(&mut self, node: Node) -> Result<Term, Reason> {
        self.language
            .node(self.pool, node)
            .ok_or_else(|| Reason::Unsupported("interpolation: a congruence node without a term".to_owned()))
    }
}
