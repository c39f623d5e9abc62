//! Interpolation problems.

use super::Shape;
use terms::Term;

/// The parts of an interpolation problem and their tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// For each node of the tree, the formulas (conjuncts) of its part.
    pub parts: Vec<Vec<Term>>,
    /// The tree.
    pub tree: Tree,
}

/// A tree whose nodes are numbered so that parents come after their children; the last node is the
/// root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    parent: Vec<Option<usize>>,
}

/// The reason why a list of parents is not a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The list is empty.
    #[error("a tree must have at least one part")]
    Empty,
    /// The last part has a parent, or another part has no parent.
    #[error("part {0}: the last part of a tree must be its only root")]
    Root(usize),
    /// A parent does not come after its child.
    #[error("the parent of part {0} must come after it")]
    Order(usize),
}

impl Problem {
    /// The sequence of these parts.
    ///
    /// # Panics
    /// If `parts` is empty.
    pub fn sequence(parts: Vec<Vec<Term>>) -> Self {
        let tree = Tree::path(parts.len());
        Problem { parts, tree }
    }

    /// The pair of `a` and `b`.
    pub fn binary(a: Vec<Term>, b: Vec<Term>) -> Self {
        Problem::sequence(vec![a, b])
    }
}

impl Tree {
    /// The tree with these parents.
    pub fn new(parent: Vec<Option<usize>>) -> Result<Self, TreeError> {
        let Some(root) = parent.len().checked_sub(1) else { return Err(TreeError::Empty) };
        for (node, &above) in parent.iter().enumerate() {
            match above {
                Some(_) if node == root => return Err(TreeError::Root(node)),
                None if node != root => return Err(TreeError::Root(node)),
                Some(above) if above <= node || above > root => return Err(TreeError::Order(node)),
                _ => {}
            }
        }
        Ok(Tree { parent })
    }

    /// The path of `length` nodes, from the first to the root.
    ///
    /// # Panics
    /// If `length` is 0.
    pub fn path(length: usize) -> Self {
        assert!(length > 0, "a tree must have at least one node");
        Tree { parent: (1..length).map(Some).chain([None]).collect() }
    }

    /// The number of nodes, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a tree is never empty")]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The root: the last node.
    pub fn root(&self) -> usize {
        self.parent.len() - 1
    }

    /// The parent of `node`; `None` for the root.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parent[node]
    }

    /// The parents of all nodes.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parent
    }

    /// For each node, its children in ascending order.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.len()];
        for (node, &above) in self.parent.iter().enumerate() {
            if let Some(above) = above {
                children[above].push(node);
            }
        }
        children
    }

    /// For each node, whether it is in the subtree of `top`.
    pub fn subtree(&self, top: usize) -> Vec<bool> {
        let mut is_below = vec![false; self.len()];
        is_below[top] = true;
        for node in (0..top).rev() {
            is_below[node] = self.parent[node].is_some_and(|above| is_below[above]);
        }
        is_below
    }

    /// The most special shape of this tree.
    pub fn shape(&self) -> Shape {
        let is_path =
            self.parent.iter().enumerate().all(|(node, &above)| above.is_none_or(|above| above == node + 1));
        match (is_path, self.len()) {
            (true, ..=2) => Shape::Binary,
            (true, _) => Shape::Sequence,
            (false, _) => Shape::Tree,
        }
    }
}
