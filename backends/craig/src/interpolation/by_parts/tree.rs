//! The tree of parts: the names that each node shares, and the correspondence between names of
//! neighboring nodes.

use backends::interpolation::vocabulary::{self, Name};
use backends::interpolation::{Problem, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Symbol, Term, TermPool};

/// Maximum number of versions that one symbol is compared with.
const MAX_SCANNED: usize = 64;

/// One part.
pub(super) struct Node {
    /// The conjuncts.
    pub(super) formulas: Vec<Term>,
    /// The names that occur both inside and outside of its subtree.
    pub(super) shared: FxHashSet<Name>,
    /// The symbols among `shared`, ascending.
    pub(super) symbols: Vec<Term>,
    pub(super) children: Vec<usize>,
    pub(super) parent: Option<usize>,
    /// Maps symbols of this node to the corresponding symbols of the parent.
    pub(super) up: FxHashMap<Term, Term>,
    /// The inverse of `up`.
    pub(super) down: FxHashMap<Term, Term>,
}

impl Node {
    /// Whether `term` is a symbol that the node shares.
    pub(super) fn shared_symbol(&self, term: Term) -> bool {
        self.symbols.binary_search(&term).is_ok()
    }
}

/// The nodes of a problem, children before parents.
pub(super) fn nodes(pool: &mut TermPool, problem: &Problem) -> Vec<Node> {
    let parts: Vec<Vec<Term>> = problem.parts.iter().map(|part| pool.conjuncts(part)).collect();
    let flat = Problem { parts, tree: problem.tree.clone() };
    let shared = vocabulary::shared(pool, &flat);
    let Problem { parts, tree } = flat;
    let mut nodes: Vec<Node> = parts
        .into_iter()
        .zip(shared)
        .zip(tree.children())
        .enumerate()
        .map(|(index, ((formulas, shared), children))| {
            let symbols = symbols(pool, &shared);
            let parent = tree.parent(index);
            Node {
                formulas,
                shared,
                symbols,
                children,
                parent,
                up: FxHashMap::default(),
                down: FxHashMap::default(),
            }
        })
        .collect();
    for index in 0..nodes.len() {
        // The root shares nothing.
        if let Some(parent) = tree_parent(&tree, index) {
            let up = correspondence(pool, &nodes[index].symbols, &nodes[parent].symbols);
            nodes[index].down = up.iter().map(|(&below, &above)| (above, below)).collect();
            nodes[index].up = up;
        }
    }
    nodes
}

fn tree_parent(tree: &Tree, node: usize) -> Option<usize> {
    tree.parent(node).filter(|&parent| parent != tree.root())
}

fn symbols(pool: &mut TermPool, shared: &FxHashSet<Name>) -> Vec<Term> {
    let mut found: Vec<Symbol> = shared
        .iter()
        .filter_map(|name| match name {
            Name::Symbol(symbol) => Some(*symbol),
            Name::Function(_) => None,
        })
        .collect();
    found.sort_unstable();
    let mut terms: Vec<Term> = found.into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
    terms.sort_unstable();
    terms
}

/// A symbol and the numbers in its name.
type Version<'a> = (Term, Vec<&'a str>);

/// Splits a name into the text between its numbers, and the numbers.
fn split(name: &str) -> (String, Vec<&str>) {
    let mut stem = String::with_capacity(name.len());
    let mut numbers = Vec::new();
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        stem.push_str(&rest[..start]);
        stem.push('#');
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        numbers.push(&rest[..end]);
        rest = &rest[end..];
    }
    stem.push_str(rest);
    (stem, numbers)
}

/// A name with its numbers replaced by a placeholder.
pub(super) fn stem(name: &str) -> String {
    split(name).0
}

/// Guesses which symbols of a node correspond to which symbols of its parent: the same symbol, or
/// another version of the same variable by its name (`x@3` and `x@4`). The guess only produces
/// candidates.
fn correspondence(pool: &TermPool, below: &[Term], above: &[Term]) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    let stays: FxHashSet<Term> = above.iter().copied().collect();
    let mut taken: FxHashSet<Term> = FxHashSet::default();
    let mut changed = Vec::new();
    for &symbol in below {
        if stays.contains(&symbol) {
            map.insert(symbol, symbol);
            taken.insert(symbol);
        } else {
            changed.push(symbol);
        }
    }
    let name = |symbol: Term| match pool.op(symbol) {
        Op::Symbol(symbol) => split(&pool.symbol_data(symbol).name),
        _ => unreachable!("shared names are symbols"),
    };
    let mut by_stem: FxHashMap<(String, Sort), Vec<Version<'_>>> = FxHashMap::default();
    for &symbol in above.iter().filter(|symbol| !taken.contains(symbol)) {
        let (stem, numbers) = name(symbol);
        by_stem.entry((stem, pool.sort(symbol))).or_default().push((symbol, numbers));
    }
    for symbol in changed {
        let (stem, numbers) = name(symbol);
        let Some(candidates) = by_stem.get_mut(&(stem, pool.sort(symbol))) else { continue };
        let agreement = |other: &[&str]| numbers.iter().zip(other).filter(|(a, b)| a == b).count();
        let scanned = 0..candidates.len().min(MAX_SCANNED);
        let best = scanned.max_by_key(|&at| (agreement(&candidates[at].1), usize::MAX - at));
        if let Some(best) = best {
            map.insert(symbol, candidates.remove(best).0);
        }
    }
    map
}

/// Renames the symbols of `term` by `map`; `None` unless the result is over the names that `target`
/// shares.
pub(super) fn transport(
    pool: &mut TermPool,
    term: Term,
    map: &FxHashMap<Term, Term>,
    target: &Node,
) -> Option<Term> {
    for name in vocabulary::names(pool, &[term]) {
        let is_mapped = match name {
            Name::Symbol(symbol) => map.contains_key(&pool.symbol_term(symbol)),
            Name::Function(_) => target.shared.contains(&name),
        };
        if !is_mapped {
            return None;
        }
    }
    Some(pool.map_leaves(term, &mut |_, leaf| map.get(&leaf).copied()))
}

/// Whether all names in `term` are in `shared`.
pub(super) fn is_over(pool: &TermPool, term: Term, shared: &FxHashSet<Name>) -> bool {
    vocabulary::names(pool, &[term]).iter().all(|name| shared.contains(name))
}
