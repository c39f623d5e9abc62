//! The source `spacer`: interpolants from Horn clauses.
//!
//! # Idea
//! An interpolation problem *is* a system of Horn clauses without recursion: a relation `P_i` for
//! each part except the root, over the symbols that its subtree shares with the rest, and one rule
//! per part,
//!
//! ```text
//! φ_i ∧ ⋀ { P_c(shared_c) | c child of i } ⇒ P_i(shared_i)        φ_root ∧ ⋀ P_c(shared_c) ⇒ false
//! ```
//!
//! whose solutions are exactly the tree interpolants. Sequences and trees are *one* query. Z3's
//! engine for Horn clauses (Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive
//! Programs*, CAV 2014) solves it part by part, by local interpolation and projection, and
//! generalizes; therefore it solves problems that no single proof of the whole path could.
//!
//! DIVERGENCE from the engine's defaults: inlining and slicing of rules are off, because the
//! relations are the result. The search starts with the height of the tree as the bound on
//! derivations, not with 0: smaller bounds admit no derivation, but each costs a round over the
//! whole path. With this, 200 parts take two seconds instead of a minute.
//!
//! The answers are the lemmas of the relations at the infinite level (`get_cover_delta`),
//! conjunctions of clauses. If preprocessing finds the body of a rule unsatisfiable, it removes the
//! rule together with the rules that depend on it or are needed only by those. The engine answers
//! `true` or `false` for the relations of removed rules, without regard to their meaning. So for a
//! trivial answer, the source checks whether the part contradicts the answers of its children. If
//! so, `false` holds for the part and its ancestors, and `true` suffices for all parts beside them.
//! Otherwise the answer becomes `true`, and the root checks whether that suffices.
//!
//! # Limits
//! Booleans, integers, reals, bit vectors and arrays; the engine supports no uninterpreted
//! functions or sorts. With arrays it may diverge. Its answers may contain quantifiers over array
//! indices, or `div` and `mod`.

use crate::ffi::{CheckStatus, Context, Decl, Fixedpoint, Node, Owned, Quantifier, SolverKind};
use crate::read::Reader;
use crate::translate::Translator;
use backends::interpolation::{
    Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape, Tree,
};
use backends::support::{on_stack, watchdog};
use backends::{Limits, ProverFactory, Reason};
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use std::rc::Rc;
use terms::{Op, Sort, Symbol, Term, TermPool};

/// The name on the command line.
pub(crate) const NAME: &str = "spacer";

/// Creates the source.
pub(crate) struct SpacerFactory;

impl InterpolatorFactory for SpacerFactory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solver(&self) -> Option<&'static str> {
        Some("z3")
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn theories(&self) -> Vec<&'static str> {
        vec!["Core", "Ints", "Reals", "FixedSizeBitVectors", "ArraysEx"]
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(Spacer)
    }
}

/// The source. Each problem gets a context of its own.
struct Spacer;

impl Interpolator for Spacer {
    fn name(&self) -> &str {
        NAME
    }

    fn solver(&self) -> Option<&str> {
        Some("z3")
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        interpolate(pool, problem, limits).into()
    }
}

fn interpolate(pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Result<Interpolants, Reason> {
    if let Some(reason) = limits.exceeded() {
        return Err(reason);
    }
    supported(pool, problem)?;
    let limits = limits.of_check();
    let context = Context::new()?;
    let mut system = System::of(&context, pool, problem)?;
    let answer = on_stack(system.depth, || system.solve(&context, &limits));
    match answer.unwrap_or(Err(Reason::Memory)) {
        Ok(Some(covers)) => Ok(Interpolants::Found(system.read(&context, pool, &covers)?)),
        Ok(None) => Ok(Interpolants::Satisfiable(None)),
        Err(Reason::Interrupted) => Err(limits.exceeded().unwrap_or(Reason::Timeout)),
        Err(reason) => Err(reason),
    }
}

/// The number of parts on the longest path.
fn height(problem: &Problem) -> u32 {
    let mut heights = vec![1; problem.parts.len()];
    for node in 0..problem.tree.root() {
        let above = problem.tree.parent(node).expect("only the root has no parent");
        heights[above] = heights[above].max(heights[node] + 1);
    }
    heights[problem.tree.root()]
}

/// The parameters that keep all relations, also those that hold of everything.
pub(crate) fn without_transformations() -> [(&'static CStr, bool); 4] {
    let names = [c"xform.slice", c"xform.inline_linear", c"xform.inline_eager", c"xform.subsumption_checker"];
    names.map(|name| (name, false))
}

/// Rejects problems with theories that the engine does not support.
fn supported(pool: &TermPool, problem: &Problem) -> Result<(), Reason> {
    let roots: Vec<Term> = problem.parts.iter().flatten().copied().collect();
    let mut what = None;
    pool.visit(
        &roots,
        |_| true,
        |term| {
            match pool.op(term) {
                Op::Apply(_) => what = Some("uninterpreted functions"),
                Op::Forall | Op::Exists => what = Some("quantifiers"),
                _ => {}
            }
            if let Some(name) = unsupported_sort(pool, pool.sort(term)) {
                what = Some(name);
            }
        },
    );
    match what {
        Some(what) => Err(Reason::Unsupported(format!("{what} in spacer"))),
        None => Ok(()),
    }
}

/// Recurses over the nesting of the sort only.
pub(crate) fn unsupported_sort(pool: &TermPool, sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => None,
        Sort::Float(..) | Sort::RoundingMode => Some("floating-point arithmetic"),
        Sort::Uninterpreted(_) => Some("uninterpreted sorts"),
        Sort::Array(parts) => {
            let (index, element) = pool.array_sort_parts(parts);
            unsupported_sort(pool, index).or_else(|| unsupported_sort(pool, element))
        }
    }
}

/// For each part except the root, the symbols that occur both in its subtree and outside of it,
/// ascending.
fn shared_symbols(pool: &TermPool, problem: &Problem) -> Vec<Vec<Symbol>> {
    let symbols: Vec<Vec<Symbol>> = problem.parts.iter().map(|part| pool.free_symbols_of(part)).collect();
    let mut parts_with: FxHashMap<Symbol, u32> = FxHashMap::default();
    for &symbol in symbols.iter().flatten() {
        *parts_with.entry(symbol).or_default() += 1;
    }
    // For each subtree and each symbol that also occurs outside, the number of its parts with the
    // symbol.
    let mut below: Vec<FxHashMap<Symbol, u32>> = vec![FxHashMap::default(); problem.parts.len()];
    let mut shared = Vec::new();
    for node in 0..problem.tree.root() {
        let mut counts = std::mem::take(&mut below[node]);
        for &symbol in &symbols[node] {
            *counts.entry(symbol).or_default() += 1;
        }
        counts.retain(|symbol, count| *count < parts_with[symbol]);
        let mut list: Vec<Symbol> = counts.keys().copied().collect();
        list.sort_unstable();
        shared.push(list);
        let above = problem.tree.parent(node).expect("only the root has no parent");
        for (symbol, count) in counts {
            *below[above].entry(symbol).or_default() += count;
        }
    }
    shared
}

/// The problem as Horn clauses.
struct System {
    translator: Translator,
    fixedpoint: Fixedpoint,
    /// The relation of each part; the root's relation has no arguments.
    relations: Vec<Decl>,
    /// The arguments of each relation, as symbols and as terms of the context.
    shared: Vec<Vec<Symbol>>,
    arguments: Vec<Vec<Node>>,
    tree: Tree,
    /// The formula of each part.
    parts: Vec<Node>,
    rules: Vec<Node>,
    depth: u32,
}

impl System {
    fn of(context: &Context, pool: &mut TermPool, problem: &Problem) -> Result<Self, Reason> {
        let mut translator = Translator::default();
        let shared = shared_symbols(pool, problem);
        let fixedpoint = context.fixedpoint(
            c"spacer",
            &without_transformations(),
            // The relation of the root has no derivation of smaller depth than the tree.
            &[(c"spacer.min_level", height(problem))],
        )?;
        let bool_sort = context.bool_sort()?;
        let (mut relations, mut heads, mut all_arguments) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..problem.parts.len() {
            let symbols = shared.get(node).map_or(&[][..], Vec::as_slice);
            let mut domain = Vec::new();
            let mut arguments = Vec::new();
            for &symbol in symbols {
                domain.push(translator.sort(context, pool, pool.symbol_data(symbol).sort)?);
                arguments.push(translator.symbol(context, pool, symbol)?);
            }
            let relation = context.named_decl(&format!("part{node}"), &domain, bool_sort)?;
            context.add_relation(&fixedpoint, relation)?;
            heads.push(context.apply(relation, &arguments)?);
            relations.push(relation);
            all_arguments.push(arguments);
        }
        let children = problem.tree.children();
        let (mut parts, mut rules, mut depth) = (Vec::new(), Vec::new(), 0);
        for (node, formulas) in problem.parts.iter().enumerate() {
            let formula = pool.and(formulas);
            let part = translator.translate(context, pool, formula)?;
            depth = depth.max(translator.depth(formula));
            let mut body = vec![part];
            body.extend(children[node].iter().map(|&child| heads[child]));
            let rule = context.implies(context.and(&body)?, heads[node])?;
            let mut variables = pool.free_symbols(formula);
            variables
                .extend(children[node].iter().chain([&node]).flat_map(|&part| shared.get(part)).flatten());
            variables.sort_unstable();
            variables.dedup();
            let bound = variables
                .iter()
                .map(|&symbol| translator.symbol(context, pool, symbol))
                .collect::<Result<Vec<_>, _>>()?;
            rules.push(if bound.is_empty() {
                rule
            } else {
                context.quantify(Quantifier::Forall, &bound, rule)?
            });
            parts.push(part);
        }
        let tree = problem.tree.clone();
        let arguments = all_arguments;
        Ok(System { translator, fixedpoint, relations, shared, arguments, tree, parts, rules, depth })
    }

    /// The lemmas of each relation except the root's; `None` if the root is reachable.
    fn solve(&mut self, context: &Context, limits: &Limits) -> Result<Option<Vec<Owned>>, Reason> {
        let _watch = watchdog::watch(context.stopper(), limits);
        for (node, &rule) in self.rules.iter().enumerate() {
            context.add_rule(&self.fixedpoint, rule, &format!("rule{node}"))?;
        }
        let (&root, others) = self.relations.split_last().expect("a problem has a part");
        match context.query(&self.fixedpoint, root) {
            CheckStatus::Sat => return Ok(None),
            CheckStatus::Unsat => {}
            CheckStatus::Stopped => return Err(Reason::Interrupted),
            CheckStatus::Unknown(reason) => return Err(reason),
        }
        let mut covers = Vec::with_capacity(others.len());
        for &relation in others {
            let cover = context.cover(&self.fixedpoint, relation)?;
            covers.push(context.simplify(cover.node())?);
        }
        self.repair(context, &mut covers)?;
        Ok(Some(covers))
    }

    /// Replaces trivial answers, which may come from removed rules.
    fn repair(&self, context: &Context, covers: &mut [Owned]) -> Result<(), Reason> {
        let trivial = [context.tru()?, context.fls()?];
        let children = self.tree.children();
        let root = self.tree.root();
        let mut is_repaired = false;
        for node in 0..root {
            if !trivial.contains(&covers[node].node()) {
                continue;
            }
            if !self.is_empty(context, covers, node, &children[node])? {
                covers[node] = context.simplify(context.tru()?)?;
                is_repaired = true;
                continue;
            }
            // Parts below this one are already checked; `false` holds for its ancestors, and all
            // others need only `true`.
            let is_below = self.tree.subtree(node);
            for other in (0..root).filter(|&other| !is_below[other]) {
                covers[other] = context.simplify(context.tru()?)?;
            }
            let mut empty = Some(node);
            while let Some(node) = empty.filter(|&node| node != root) {
                covers[node] = context.simplify(context.fls()?)?;
                empty = self.tree.parent(node);
            }
            return Ok(());
        }
        if is_repaired && !self.is_empty(context, covers, root, &children[root])? {
            return Err(Reason::Incomplete("spacer removed a relation that is needed".to_owned()));
        }
        Ok(())
    }

    /// Whether the part contradicts the answers of its children.
    fn is_empty(
        &self,
        context: &Context,
        covers: &[Owned],
        node: usize,
        children: &[usize],
    ) -> Result<bool, Reason> {
        let solver = context.solver(SolverKind::Incremental)?;
        context.assert(&solver, self.parts[node])?;
        for &child in children {
            let holds = context.instantiate(covers[child].node(), &self.arguments[child])?;
            context.assert(&solver, holds.node())?;
        }
        match context.check(&solver, &[]) {
            CheckStatus::Unsat => Ok(true),
            CheckStatus::Sat | CheckStatus::Unknown(Reason::Incomplete(_)) => Ok(false),
            CheckStatus::Stopped => Err(Reason::Interrupted),
            CheckStatus::Unknown(reason) => Err(reason),
        }
    }

    fn read(&self, context: &Context, pool: &mut TermPool, covers: &[Owned]) -> Result<Vec<Term>, Reason> {
        let mut interpolants = Vec::with_capacity(covers.len());
        for (cover, symbols) in covers.iter().zip(&self.shared) {
            let variables: Vec<Term> = symbols.iter().map(|&symbol| pool.symbol_term(symbol)).collect();
            let mut reader = Reader { context, translator: &self.translator, pool };
            interpolants.push(reader.read(cover.node(), &variables)?);
        }
        Ok(interpolants)
    }
}
