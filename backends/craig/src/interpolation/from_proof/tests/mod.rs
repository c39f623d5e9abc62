//! Random problems in random trees; all interpolants are certified.

mod arithmetic;
mod equality;
mod numbers;
mod propositional;

use backends::Limits;
use backends::conformance::random::Random;
use backends::interpolation::{Certifier, Problem, Tree};
use std::rc::Rc;
use terms::{Term, TermPool};

/// A random tree; every second one is a path.
fn random_tree(random: &mut Random, parts: usize) -> Tree {
    if random.chance(1, 2) {
        return Tree::path(parts);
    }
    let parent = |node: usize, random: &mut Random| {
        (node + 1 < parts).then(|| node + 1 + random.below(parts - 1 - node))
    };
    Tree::new((0..parts).map(|node| parent(node, random)).collect()).expect("parents come later")
}

fn certify(pool: &mut TermPool, problem: &Problem, interpolants: &[Term], what: &str) {
    let certifier = Certifier { factories: vec![Rc::new(backend_z3::factory())] };
    let result = certifier.certify(pool, problem, interpolants, &Limits::default());
    let shown: Vec<String> = interpolants.iter().map(|&term| pool.display(term).to_string()).collect();
    assert_eq!(result, Ok(()), "{what}: {shown:?}\n{problem:?}");
}
