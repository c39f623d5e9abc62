//! Z3's engine Spacer as a solver of Horn clauses.
//!
//! The engine is that of Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive
//! Programs*, CAV 2014. Slicing and inlining of clauses are off: then each relation gets a formula
//! without quantifiers, unless the engine needs them for arrays, and each atom of a derivation
//! occurs in the proof. Those transformations are `passes`, which have a way back.
//!
//! *Models.* The answer is a conjunction of definitions `∀x. R(x) = φ`. A relation that the engine
//! has removed, because it has no facts or is not needed, has no definition. It gets `false`, or
//! `true` if a clause derives it then: the least such choice.
//!
//! *Derivations.* The answer is a proof by hyper-resolution whose conclusions are ground atoms. The
//! clauses in the proof are not those that the engine was given (they are normalized), so only the
//! atoms are read.
//!
//! # Limits
//! Booleans, integers, reals, bit vectors and arrays. The engine diverges on many systems with
//! arrays, and gives wrong models for some.

use crate::ffi::{CheckStatus, Context, Decl, Fixedpoint, Node, Owned, Quantifier, Shape};
use crate::read::Reader;
use crate::spacer::{NAME, unsupported_sort, without_transformations};
use crate::translate::Translator;
use backends::support::{on_stack, watchdog};
use backends::{Fact, HornAnswer, HornSolver, Limits, ProverFactory, Reason, Status};
use horn::{Atom, Interpretation, Relation, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::{Entity, PrimaryMap};
use terms::{Assignment, Op, Term, TermPool};
use z3_sys::DeclKind;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpacerSolver;

impl HornSolver for SpacerSolver {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solver(&self) -> &'static str {
        "z3"
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        match solve(pool, system, limits) {
            Ok(answer) => answer,
            Err(Reason::Interrupted) => HornAnswer::Unknown(limits.exceeded().unwrap_or(Reason::Timeout)),
            Err(reason) => HornAnswer::Unknown(reason),
        }
    }
}

fn solve(pool: &mut TermPool, system: &System, limits: &Limits) -> Result<HornAnswer, Reason> {
    if let Some(reason) = limits.exceeded() {
        return Err(reason);
    }
    supported(pool, system)?;
    let limits = limits.of_check();
    let context = Context::new()?;
    let mut clauses = Clauses::of(&context, pool, system)?;
    let depth = clauses.depth;
    let answer = on_stack(depth, || clauses.solve(&context, &limits)).unwrap_or(Err(Reason::Memory))?;
    clauses.read(&context, pool, system, answer, &limits)
}

/// Rejects systems with theories that the engine does not support.
fn supported(pool: &TermPool, system: &System) -> Result<(), Reason> {
    let mut roots: Vec<Term> = system.clauses.values().map(|clause| clause.constraint).collect();
    roots.extend(system.relations.values().flat_map(|relation| relation.symbols()));
    let mut what = None;
    pool.visit(
        &roots,
        |_| true,
        |term| {
            if let Op::Apply(_) = pool.op(term) {
                what = Some("uninterpreted functions");
            }
            if let Some(name) = unsupported_sort(pool, pool.sort(term)) {
                what = Some(name);
            }
        },
    );
    what.map_or(Ok(()), |what| Err(Reason::Unsupported(format!("{what} in spacer"))))
}

/// The clauses in a context.
struct Clauses {
    translator: Translator,
    fixedpoint: Fixedpoint,
    relations: FxHashMap<Decl, Relation>,
    /// The relation that the queries derive.
    error: Decl,
    rules: Vec<Node>,
    depth: u32,
}

enum Answer {
    Satisfiable(Owned),
    Unsatisfiable(Owned),
}

impl Clauses {
    fn of(context: &Context, pool: &TermPool, system: &System) -> Result<Self, Reason> {
        let mut translator = Translator::default();
        let fixedpoint = context.fixedpoint(c"spacer", &without_transformations(), &[])?;
        let bool_sort = context.bool_sort()?;
        let mut declared = PrimaryMap::new();
        for (relation, data) in system.relations.iter() {
            let domain = data
                .symbols()
                .map(|symbol| translator.sort(context, pool, pool.sort(symbol)))
                .collect::<Result<Vec<_>, _>>()?;
            let decl = context.named_decl(&format!("relation{}", relation.index()), &domain, bool_sort)?;
            context.add_relation(&fixedpoint, decl)?;
            declared.push(decl);
        }
        let error = context.named_decl("error", &[], bool_sort)?;
        context.add_relation(&fixedpoint, error)?;
        let relations = declared.iter().map(|(relation, &decl)| (decl, relation)).collect();
        let (mut rules, mut depth) = (Vec::new(), 0);
        for clause in system.clauses.values() {
            let atom = |translator: &mut Translator, atom: &Atom| {
                let arguments = symbols(context, pool, translator, &atom.arguments)?;
                context.apply(declared[atom.relation], &arguments)
            };
            let mut body = vec![translator.translate(context, pool, clause.constraint)?];
            depth = depth.max(translator.depth(clause.constraint));
            for premise in &clause.body {
                body.push(atom(&mut translator, premise)?);
            }
            let head = match &clause.head {
                Some(head) => atom(&mut translator, head)?,
                None => context.apply(error, &[])?,
            };
            let rule = context.implies(context.and(&body)?, head)?;
            let mut variables: Vec<Term> =
                clause.body.iter().chain(&clause.head).flat_map(|atom| atom.arguments.clone()).collect();
            variables.extend(&clause.inner);
            let mut seen = FxHashSet::default();
            variables.retain(|&variable| seen.insert(variable));
            let bound = symbols(context, pool, &mut translator, &variables)?;
            rules.push(match bound.is_empty() {
                true => rule,
                false => context.quantify(Quantifier::Forall, &bound, rule)?,
            });
        }
        Ok(Clauses { translator, fixedpoint, relations, error, rules, depth })
    }

    fn solve(&mut self, context: &Context, limits: &Limits) -> Result<Answer, Reason> {
        let _watch = watchdog::watch(context.stopper(), limits);
        for (index, &rule) in self.rules.iter().enumerate() {
            context.add_rule(&self.fixedpoint, rule, &format!("rule{index}"))?;
        }
        match context.query(&self.fixedpoint, self.error) {
            CheckStatus::Sat => Ok(Answer::Unsatisfiable(context.answer(&self.fixedpoint)?)),
            CheckStatus::Unsat => Ok(Answer::Satisfiable(context.answer(&self.fixedpoint)?)),
            CheckStatus::Stopped => Err(Reason::Interrupted),
            CheckStatus::Unknown(reason) => Err(reason),
        }
    }

    fn read(
        &self,
        context: &Context,
        pool: &mut TermPool,
        system: &System,
        answer: Answer,
        limits: &Limits,
    ) -> Result<HornAnswer, Reason> {
        match answer {
            Answer::Satisfiable(definitions) => {
                let known = self.model(context, pool, system, definitions.node())?;
                Ok(HornAnswer::Satisfiable(completed(pool, system, &known, limits)?))
            }
            Answer::Unsatisfiable(proof) => {
                self.facts(context, pool, proof.node()).map(HornAnswer::Unsatisfiable)
            }
        }
    }

    /// The formulas of the relations that have a definition.
    fn model(
        &self,
        context: &Context,
        pool: &mut TermPool,
        system: &System,
        definitions: Node,
    ) -> Result<PrimaryMap<Relation, Option<Term>>, Reason> {
        let mut formulas: PrimaryMap<Relation, Option<Term>> =
            system.relations.keys().map(|_| None).collect();
        let definitions = match context.operator(definitions) {
            DeclKind::And => self.children(context, definitions)?,
            _ => vec![definitions],
        };
        for definition in definitions {
            let equation = match context.shape(definition) {
                Shape::Quantifier(Quantifier::Forall) => context.body(definition)?,
                _ => definition,
            };
            let sides = self.children(context, equation)?;
            let &[atom, formula] = &sides[..] else { continue };
            let relation = context.decl_of(atom).and_then(|decl| self.relations.get(&decl));
            let Some(&relation) = relation else { continue };
            let arguments = self.children(context, atom)?;
            let mut variables = vec![None; arguments.len()];
            for (argument, symbol) in arguments.into_iter().zip(system.relations[relation].symbols()) {
                let Shape::Variable(index) = context.shape(argument) else {
                    return Err(Reason::Fault("an argument of a definition is no variable".to_owned()));
                };
                if let Some(variable) = variables.get_mut(index as usize) {
                    *variable = Some(symbol);
                }
            }
            let variables: Option<Vec<Term>> = variables.into_iter().collect();
            let variables =
                variables.ok_or_else(|| Reason::Fault("the variables of a definition".to_owned()))?;
            let mut reader = Reader { context, translator: &self.translator, pool };
            formulas[relation] = Some(reader.read(formula, &variables)?);
        }
        Ok(formulas)
    }

    /// The ground atoms in a proof.
    fn facts(&self, context: &Context, pool: &mut TermPool, proof: Node) -> Result<Vec<Fact>, Reason> {
        let mut facts = BTreeSet::new();
        let mut seen: FxHashSet<Node> = [proof].into_iter().collect();
        let mut stack = vec![proof];
        while let Some(node) = stack.pop() {
            // Clauses in the proof are quantified; ground atoms are not below quantifiers.
            if !matches!(context.shape(node), Shape::Application) {
                continue;
            }
            let children = self.children(context, node)?;
            let relation = context.decl_of(node).and_then(|decl| self.relations.get(&decl));
            let Some(&relation) = relation else {
                stack.extend(children.into_iter().filter(|&child| seen.insert(child)));
                continue;
            };
            let mut values = Vec::with_capacity(children.len());
            for child in children {
                let mut reader = Reader { context, translator: &self.translator, pool };
                let term = reader.read(child, &[])?;
                values.extend(terms::eval(pool, term, &Assignment::new()).ok());
            }
            if values.len() == context.arity(node) as usize {
                facts.insert(Fact { relation, values });
            }
        }
        Ok(facts.into_iter().collect())
    }

    fn children(&self, context: &Context, node: Node) -> Result<Vec<Node>, Reason> {
        (0..context.arity(node)).map(|index| context.argument(node, index)).collect()
    }
}

/// The interpretation by the known formulas, and by `false` or `true` for the other relations.
fn completed(
    pool: &mut TermPool,
    system: &System,
    known: &PrimaryMap<Relation, Option<Term>>,
    limits: &Limits,
) -> Result<Interpretation, Reason> {
    let (tru, fls) = (pool.tru(), pool.fls());
    let formulas = known.values().map(|formula| formula.unwrap_or(fls)).collect();
    let mut interpretation = Interpretation { formulas };
    let is_missing = |relation: Relation| known[relation].is_none();
    loop {
        let before = interpretation.clone();
        for (clause, data) in system.rules() {
            let Some(head) = data.to().filter(|&head| is_missing(head)) else { continue };
            if interpretation.formulas[head] == tru {
                continue;
            }
            let violation = interpretation.violation(pool, system, clause);
            let violation = pool.and(&violation);
            let mut prover = crate::factory().new_prover("ALL", limits)?;
            prover.set_limits(limits);
            prover.assert(pool, violation)?;
            if prover.status(pool, &[]) != Status::Unsat {
                interpretation.formulas[head] = tru;
            }
        }
        if interpretation == before {
            return Ok(interpretation);
        }
    }
}

fn symbols(
    context: &Context,
    pool: &TermPool,
    translator: &mut Translator,
    terms: &[Term],
) -> Result<Vec<Node>, Reason> {
    let symbol = |&term: &Term| match pool.op(term) {
        Op::Symbol(symbol) => translator.symbol(context, pool, symbol),
        _ => Err(Reason::Misuse("an argument of an atom is no symbol".to_owned())),
    };
    terms.iter().map(symbol).collect()
}
