//! Bounds, with a small theory that checks complete assignments only.

use super::{certify, random_tree};
use crate::interpolation::from_proof::{Certificate, Input, Labelling, Language, interpolants};
use crate::prover::arith::integers::{self, IntegerCheck, Purity};
use crate::prover::arith::{
    self, Bound, Combination, Cut, DeltaRational, Feasibility, Integers, Kind, Premise, Rational, Reason32,
    Relation, Side, Simplex, Var,
};
use crate::prover::proof::{Origin, Proof, Step};
use crate::prover::sat::{Answer, Config, Consequences, FinalCheck, Literal, Solver, Theory, Variable};
use backends::conformance::random::Random;
use backends::interpolation::Problem;
use backends::{Limits, Reason};
use rustc_hash::FxHashMap;
use terms::entity::Entity;
use terms::{Sort, Term, TermPool};

/// Atoms are bounds; the positive literal is the upper side.
struct Bounds {
    simplex: Simplex,
    integers: Integers,
    purity: Pure,
    /// The terms of the problem's variables.
    terms: Vec<Term>,
    atoms: FxHashMap<Variable, Bound>,
    known: FxHashMap<Bound, Variable>,
    assigned: Vec<Literal>,
    levels: Vec<usize>,
    certificates: Vec<arith::Certificate>,
    parts: Vec<usize>,
}

/// Branches on single variables, with or without cuts.
struct Pure {
    cuts: bool,
}

impl Purity for Pure {
    fn allows_cut(&self, _cut: &Cut) -> bool {
        self.cuts
    }

    fn allows_branch(&self, _form: &Combination) -> bool {
        false
    }
}

impl Bounds {
    fn new(terms: Vec<Term>, kinds: &[Kind], purity: Pure) -> Self {
        let mut simplex = Simplex::new();
        for &kind in kinds {
            simplex.variable(kind);
        }
        Bounds {
            simplex,
            integers: Integers::new(integers::Config::default()),
            purity,
            terms,
            atoms: FxHashMap::default(),
            known: FxHashMap::default(),
            assigned: Vec::new(),
            levels: Vec::new(),
            certificates: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The literal of a bound.
    fn literal(&mut self, bound: Bound, fresh: &mut dyn FnMut() -> Variable) -> Literal {
        let is_upper = bound.side == Side::Upper;
        let upper = if is_upper { bound } else { self.simplex.negation(&bound) };
        let variable = *self.known.entry(upper.clone()).or_insert_with(fresh);
        self.atoms.insert(variable, upper);
        Literal::new(variable, is_upper)
    }

    fn bound(&self, literal: Literal) -> Bound {
        let upper = &self.atoms[&literal.variable()];
        if literal.is_positive() { upper.clone() } else { self.simplex.negation(upper) }
    }

    fn tell(
        &mut self,
        certificate: arith::Certificate,
        more: Option<Literal>,
        consequences: &mut Consequences,
    ) {
        let mut reasons: Vec<Reason32> = match &certificate {
            arith::Certificate::Farkas(premises) | arith::Certificate::Cut(Cut { premises, .. }) => {
                premises.iter().map(|premise| premise.reason).collect()
            }
            arith::Certificate::Diophantine(premises) => {
                premises.iter().flat_map(|premise| [premise.lower, premise.upper]).collect()
            }
            arith::Certificate::Branch { .. } => Vec::new(),
        };
        reasons.sort_unstable();
        reasons.dedup();
        let denied = reasons.into_iter().map(|reason| !Literal::from_index(reason.index()));
        let clause: Vec<Literal> = denied.chain(more).collect();
        let number = u32::try_from(self.certificates.len()).expect("few lemmas");
        self.certificates.push(certificate);
        consequences.lemmas.push((clause, number));
    }

    fn look(&mut self, fresh: &mut dyn FnMut() -> Variable, consequences: &mut Consequences) -> FinalCheck {
        for literal in self.assigned.clone() {
            let bound = self.bound(literal);
            let reason = Reason32::new(literal.index());
            if let Err(certificate) = self.simplex.assert_bound(&bound, reason) {
                self.tell(certificate, None, consequences);
                return FinalCheck::Continue;
            }
        }
        match self.simplex.check(&Limits::default()) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(certificate) => {
                self.tell(certificate, None, consequences);
                return FinalCheck::Continue;
            }
            Feasibility::Unknown(reason) => return FinalCheck::Unknown(reason),
        }
        match self.integers.check(&mut self.simplex, &Limits::default(), &self.purity) {
            IntegerCheck::Consistent => FinalCheck::Consistent,
            IntegerCheck::Infeasible(certificate) => {
                self.tell(certificate, None, consequences);
                FinalCheck::Continue
            }
            IntegerCheck::Cuts(cuts) => {
                for cut in cuts {
                    let value = DeltaRational::from(cut.bound.clone());
                    let bound = self.simplex.bound(&cut.form, Side::Upper, &value).expect("not constant");
                    let literal = self.literal(bound, fresh);
                    self.tell(arith::Certificate::Cut(cut), Some(literal), consequences);
                }
                FinalCheck::Continue
            }
            IntegerCheck::Branch(branch) => {
                let bound =
                    Bound { variable: branch.variable, side: Side::Upper, value: branch.floor.into() };
                let literal = self.literal(bound, fresh);
                consequences.decisions.push(literal);
                FinalCheck::Continue
            }
            IntegerCheck::Unknown(reason) => FinalCheck::Unknown(reason),
        }
    }
}

impl Theory for Bounds {
    fn is_atom(&self, variable: Variable) -> bool {
        self.atoms.contains_key(&variable)
    }

    fn assign(&mut self, literal: Literal) {
        self.assigned.push(literal);
    }

    fn push_level(&mut self, _level: u32) {
        self.levels.push(self.assigned.len());
    }

    fn backtrack(&mut self, level: u32) {
        self.assigned.truncate(self.levels[level as usize]);
        self.levels.truncate(level as usize);
    }

    fn propagate(&mut self, _fresh: &mut dyn FnMut() -> Variable, _consequences: &mut Consequences) {}

    fn final_check(
        &mut self,
        fresh: &mut dyn FnMut() -> Variable,
        consequences: &mut Consequences,
    ) -> FinalCheck {
        let level = self.simplex.level();
        self.simplex.push();
        let verdict = self.look(fresh, consequences);
        self.simplex.backtrack(level);
        verdict
    }
}

impl Language for Bounds {
    fn term(&mut self, pool: &mut TermPool, variable: Variable) -> Option<Term> {
        let premise = self.simplex.premise(self.atoms.get(&variable)?);
        Some(said(pool, &self.terms, &premise))
    }

    fn input(&self, tag: u32) -> Option<Input> {
        self.parts.get(tag as usize).copied().map(Input::Part)
    }

    fn certificate(&mut self, lemma: &Step) -> Option<Certificate> {
        let Origin::Lemma(number) = lemma.origin else { return None };
        self.certificates.get(number as usize).cloned().map(Certificate::Arithmetic)
    }

    fn number(&self, variable: Var) -> Option<Term> {
        self.terms.get(variable.index()).copied()
    }

    fn premise(&self, reason: Reason32) -> Option<Premise> {
        Some(self.simplex.premise(&self.bound(Literal::from_index(reason.index()))))
    }
}

/// The term of a premise.
fn said(pool: &mut TermPool, terms: &[Term], premise: &Premise) -> Term {
    let is_int =
        premise.form.entries().iter().all(|(variable, _)| pool.sort(terms[variable.index()]) == Sort::Int);
    let sort = if is_int { Sort::Int } else { Sort::Real };
    let mut summands = Vec::new();
    for (variable, coefficient) in premise.form.entries() {
        let mut term = terms[variable.index()];
        if sort != pool.sort(term) {
            term = pool.to_real(term);
        }
        let coefficient = pool.number(sort, &coefficient.to_big());
        summands.push(pool.mul(coefficient, term));
    }
    let sum = pool.add(&summands);
    let constant = pool.number(sort, &premise.constant.to_big());
    match premise.relation {
        Relation::AtMost => pool.le(sum, constant),
        Relation::Less => pool.lt(sum, constant),
        Relation::AtLeast => pool.le(constant, sum),
        Relation::Greater => pool.lt(constant, sum),
        Relation::Equal => pool.eq(sum, constant),
    }
}

/// Statistics of the random problems.
#[derive(Debug, Default)]
struct Seen {
    refuted: usize,
    mixed: usize,
    split: usize,
    divisibilities: usize,
}

fn scenario(seed: u64, kinds: &[Kind], cuts: bool, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let terms: Vec<Term> = kinds
        .iter()
        .enumerate()
        .map(|(index, kind)| {
            let sort = if *kind == Kind::Int { Sort::Int } else { Sort::Real };
            pool.symbol(&format!("x{index}"), sort)
        })
        .collect();
    let count = 2 + random.below(4);
    let tree = random_tree(&mut random, count);
    let mut problem = Problem { parts: vec![Vec::new(); count], tree };
    let mut theory = Bounds::new(terms.clone(), kinds, Pure { cuts });
    let mut solver = Solver::new(Config::PROVING);
    let known: Vec<Vec<usize>> =
        (0..count).map(|_| (0..3).map(|_| random.below(kinds.len())).collect()).collect();
    let mut answer = Answer::Sat;
    for _ in 0..24 {
        let part = random.below(count);
        let mut sides = Vec::new();
        let number = 1 + usize::from(random.chance(1, 4));
        while sides.len() < number {
            let form: Combination = known[part]
                .iter()
                .map(|&index| (Var::new(index), Rational::from(random.below(7) as i64 - 3)))
                .collect();
            if form.is_zero() {
                continue;
            }
            let value = Rational::from(random.below(13) as i64 - 6);
            let bound = |side, value: DeltaRational, simplex: &mut Simplex| {
                simplex.bound(&form, side, &value).expect("not constant")
            };
            let simplex = &mut theory.simplex;
            sides.push(match random.below(4) {
                0 => vec![bound(Side::Upper, value.into(), simplex)],
                1 => vec![bound(Side::Lower, DeltaRational::above(value), simplex)],
                _ => Side::BOTH.map(|side| bound(side, value.clone().into(), simplex)).to_vec(),
            });
        }
        // Equations are unit clauses, one for each side.
        if sides.iter().any(|bounds| bounds.len() == 2) {
            sides.truncate(1);
        }
        let clauses: Vec<Vec<Bound>> = match &sides[..] {
            [one] => one.iter().map(|bound| vec![bound.clone()]).collect(),
            several => vec![several.iter().flatten().cloned().collect()],
        };
        for clause in clauses {
            // Another part with the same names, if there is one, may have a side of an equation.
            let others: Vec<usize> = (0..count)
                .filter(|&other| known[part].iter().all(|index| known[other].contains(index)))
                .collect();
            let part = random.pick(&others);
            let mut fresh = || solver.new_variable();
            let literals: Vec<Literal> =
                clause.iter().map(|bound| theory.literal(bound.clone(), &mut fresh)).collect();
            let mut says = Vec::new();
            for bound in &clause {
                let premise = theory.simplex.premise(bound);
                says.push(said(&mut pool, &terms, &premise));
            }
            let formula = pool.or(&says);
            problem.parts[part].push(formula);
            let tag = u32::try_from(theory.parts.len()).expect("few clauses");
            theory.parts.push(part);
            solver.add_clause(&literals, tag);
        }
        answer = solver.solve(&mut theory, &[], &Limits::default());
        if answer != Answer::Sat {
            break;
        }
    }
    if answer != Answer::Unsat {
        return;
    }
    let proof = solver.proof().expect("a proof");
    for labelling in Labelling::ALL {
        let found = interpolants(&mut pool, &problem, &proof, &mut theory, labelling, &Limits::default());
        match found {
            Ok(found) => {
                seen.refuted += 1;
                seen.split += usize::from(found.iter().any(|&term| pool.as_bool(term).is_none()));
                let text: String = found.iter().map(|&term| pool.display(term).to_string()).collect();
                seen.divisibilities += usize::from(text.contains("mod"));
                certify(&mut pool, &problem, &found, &format!("seed {seed}, {labelling:?}"));
            }
            Err(Reason::Unsupported(_)) => seen.mixed += 1,
            Err(reason) => panic!("seed {seed}: {reason}"),
        }
    }
}

#[test]
fn interpolants_of_reals_are_right() {
    let mut seen = Seen::default();
    (0..150).for_each(|seed| scenario(seed, &[Kind::Real; 5], false, &mut seen));
    assert!(seen.mixed == 0 && seen.split > 200, "{seen:?}");
}

#[test]
fn interpolants_of_integers_are_right() {
    let mut seen = Seen::default();
    (0..150).for_each(|seed| scenario(seed, &[Kind::Int; 5], false, &mut seen));
    assert!(seen.mixed == 0 && seen.split > 150 && seen.divisibilities > 10, "{seen:?}");
}

#[test]
fn cuts_of_several_parts_are_right() {
    let mut seen = Seen::default();
    (0..100).for_each(|seed| scenario(seed, &[Kind::Int; 4], true, &mut seen));
    assert!(seen.mixed == 0 && seen.split > 50, "{seen:?}");
}

#[test]
#[ignore = "slow"]
fn interpolants_of_integers_and_reals_are_right() {
    use Kind::{Int, Real};
    let mut seen = Seen::default();
    (0..50).for_each(|seed| scenario(seed, &[Int, Real, Int, Real, Int], false, &mut seen));
    assert!(seen.mixed == 0 && seen.split > 40, "{seen:?}");
}

/// A language of some premises, each a literal of its own, and of one lemma.
struct Premises {
    terms: Vec<Term>,
    formulas: Vec<Term>,
    premises: Vec<Premise>,
    certificate: arith::Certificate,
}

impl Language for Premises {
    fn term(&mut self, _pool: &mut TermPool, variable: Variable) -> Option<Term> {
        self.formulas.get(variable.index()).copied()
    }

    fn input(&self, tag: u32) -> Option<Input> {
        Some(Input::Part(tag as usize))
    }

    fn certificate(&mut self, _lemma: &Step) -> Option<Certificate> {
        Some(Certificate::Arithmetic(self.certificate.clone()))
    }

    fn number(&self, variable: Var) -> Option<Term> {
        self.terms.get(variable.index()).copied()
    }

    fn premise(&self, reason: Reason32) -> Option<Premise> {
        self.premises.get(Literal::from_index(reason.index()).variable().index()).cloned()
    }
}

/// `coefficients · variables relation constant`
fn premise(coefficients: &[i64], relation: Relation, constant: i64) -> Premise {
    let entries = coefficients.iter().enumerate();
    let form = entries.map(|(index, &value)| (Var::new(index), Rational::from(value))).collect();
    Premise { form, relation, constant: constant.into() }
}

fn reason(index: usize) -> Reason32 {
    Reason32::new(Literal::positive(Variable::new(index)).index())
}

/// Interpolates integers x, y, z, where each premise is a part and the lemma contradicts all of
/// them.
fn of_premises(
    pool: &mut TermPool,
    premises: Vec<Premise>,
    certificate: arith::Certificate,
    labelling: Labelling,
) -> (Problem, Result<Vec<Term>, Reason>) {
    let terms: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, Sort::Int)).collect();
    let formulas: Vec<Term> = premises.iter().map(|premise| said(pool, &terms, premise)).collect();
    let problem = Problem::sequence(formulas.iter().map(|&formula| vec![formula]).collect());
    let literals: Vec<Literal> =
        (0..formulas.len()).map(|index| Literal::positive(Variable::new(index))).collect();
    let step = |literals: Vec<Literal>, origin| Step { literals, origin };
    let mut steps: Vec<Step> =
        (0u32..).zip(&literals).map(|(tag, &literal)| step(vec![literal], Origin::Input(tag))).collect();
    let lemma = steps.len() as u32;
    steps.push(step(literals.iter().map(|&literal| !literal).collect(), Origin::Lemma(0)));
    let rest = (0u32..).zip(&literals).map(|(input, &literal)| (!literal, input)).collect();
    steps.push(step(Vec::new(), Origin::Chain { first: lemma, rest }));
    let proof = Proof { steps };
    let mut language = Premises { terms, formulas, premises, certificate };
    let found = interpolants(pool, &problem, &proof, &mut language, labelling, &Limits::default());
    (problem, found)
}

/// `2x = y` against `y = 2z + 1`.
#[test]
fn a_parity_is_found() {
    let premises = vec![premise(&[2, -1], Relation::Equal, 0), premise(&[0, 1, -2], Relation::Equal, 1)];
    let half = |index: usize| arith::EquationMultiplier {
        coefficient: Rational::new(1, 2),
        lower: reason(index),
        upper: reason(index),
    };
    for labelling in Labelling::ALL {
        let mut pool = TermPool::new();
        let certificate = arith::Certificate::Diophantine(vec![half(0), half(1)]);
        let (problem, found) = of_premises(&mut pool, premises.clone(), certificate, labelling);
        let found = found.expect("a divisibility");
        certify(&mut pool, &problem, &found, "parity");
        assert!(pool.display(found[0]).to_string().contains("mod"));
    }
}

#[test]
fn a_wrong_certificate_is_refused() {
    let premises = vec![
        premise(&[2, -1, 0], Relation::AtMost, 0),
        premise(&[0, 1, 0], Relation::AtMost, 5),
        premise(&[0, 1, -2], Relation::AtMost, 1),
    ];
    let upper = |index: usize| arith::Multiplier {
        coefficient: Rational::new(1, 2),
        side: Side::Upper,
        reason: reason(index),
    };
    let mut pool = TermPool::new();
    let labelling = Labelling::McMillan;
    let wrong = arith::Certificate::Farkas(vec![upper(0), upper(2)]);
    let (_, found) = of_premises(&mut pool, premises.clone(), wrong, labelling);
    assert!(matches!(found, Err(Reason::Fault(_))), "{found:?}");
    let foreign = arith::Certificate::Farkas(vec![upper(7)]);
    let (_, found) = of_premises(&mut pool, premises, foreign, labelling);
    assert!(matches!(found, Err(Reason::Fault(_))), "{found:?}");
}
