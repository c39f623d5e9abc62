//! Classes of nodes that may be equal up to a known offset: a union-find with weights and moduli.
//!
//! Each node represents an address. Nodes of one class are related by
//! `address(x) = address(y) + k (mod m)`, where `k` is known and `m` is the *modulus* of the class:
//! 0 as long as all offsets are exact, otherwise the greatest common divisor of all inexact
//! offsets. So `p = a + 4*i` puts `p` into the class of `a` at offset 0 modulo 4, and an array of
//! structures of 16 bytes has modulus 16, in which its fields stay separate. A class of modulus 1
//! has no offset information.
//!
//! A class also describes the contents of its memory: for an offset, the node of the pointers
//! stored there. When classes merge or a modulus shrinks, the contents at equal offsets are unified
//! as well, by a worklist.

use std::collections::BTreeMap;
use terms::entity::PrimaryMap;

terms::entity! {
    /// An address in the points-to analysis.
    Node, "n"
}

/// Offsets beyond this are not tracked; the class then gets modulus 1.
const LARGEST_OFFSET: i128 = 1 << 48;

/// The union-find.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    nodes: PrimaryMap<Node, Link>,
    /// The number of changes so far, by which fixpoint loops detect progress.
    changes: usize,
}

#[derive(Clone, Debug)]
struct Link {
    parent: Node,
    /// `address(self) = address(parent) + offset`.
    offset: i128,
    /// Of the class; meaningful only at roots.
    modulus: u64,
    rank: u8,
    /// By offset from the root, reduced modulo `modulus`; meaningful only at roots.
    contents: BTreeMap<i128, Node>,
}

impl Classes {
    /// Creates a node in its own class.
    pub(crate) fn fresh(&mut self) -> Node {
        let parent = self.nodes.next_key();
        self.nodes.push(Link { parent, offset: 0, modulus: 0, rank: 0, contents: BTreeMap::new() })
    }

    /// The root of the node's class and the node's offset from it.
    pub(crate) fn find(&mut self, node: Node) -> (Node, i128) {
        let mut path = Vec::new();
        let mut current = node;
        while self.nodes[current].parent != current {
            path.push(current);
            current = self.nodes[current].parent;
        }
        let root = current;
        // From the root outward: path compression links each node to the root.
        let mut total = 0i128;
        for &step in path.iter().rev() {
            total += self.nodes[step].offset;
            total = reduce(total, self.nodes[root].modulus);
            self.nodes[step].parent = root;
            self.nodes[step].offset = total;
        }
        (root, if path.is_empty() { 0 } else { total })
    }

    /// The modulus of the class with this root.
    pub(crate) fn modulus(&self, root: Node) -> u64 {
        self.nodes[root].modulus
    }

    /// The number of changes of classes so far.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// Records `address(x) = address(y) + offset + i * stride` for an unknown integer `i` (stride
    /// 0: exactly).
    pub(crate) fn unify(&mut self, x: Node, y: Node, offset: i128, stride: u64) {
        let mut work = vec![(x, y, offset, stride)];
        while let Some((x, y, offset, stride)) = work.pop() {
            let (x_root, x_offset) = self.find(x);
            let (y_root, y_offset) = self.find(y);
            // address(x_root) = address(y_root) + difference
            let mut difference = y_offset + offset - x_offset;
            let mut stride = stride;
            if difference.abs() > LARGEST_OFFSET {
                difference = 0;
                stride = 1;
            }
            if x_root == y_root {
                let distance = u64::try_from(difference.abs()).unwrap_or(1);
                self.shrink(x_root, gcd(stride, distance), &mut work);
                continue;
            }
            self.changes += 1;
            let (child, parent, offset) = if self.nodes[x_root].rank > self.nodes[y_root].rank {
                (y_root, x_root, -difference)
            } else {
                (x_root, y_root, difference)
            };
            if self.nodes[child].rank == self.nodes[parent].rank {
                self.nodes[parent].rank += 1;
            }
            let modulus = gcd(self.nodes[child].modulus, stride);
            let contents = std::mem::take(&mut self.nodes[child].contents);
            self.nodes[child].parent = parent;
            self.nodes[child].offset = offset;
            self.shrink(parent, modulus, &mut work);
            for (place, node) in contents {
                self.insert_contents(parent, place + offset, node, &mut work);
            }
        }
    }

    /// The node of the pointers stored at the address of `node`.
    pub(crate) fn contents(&mut self, node: Node) -> Node {
        let (root, offset) = self.find(node);
        let key = reduce(offset, self.nodes[root].modulus);
        if let Some(&found) = self.nodes[root].contents.get(&key) {
            return found;
        }
        let fresh = self.fresh();
        self.nodes[root].contents.insert(key, fresh);
        fresh
    }

    /// Reduces the modulus of the class of `node` to a divisor of `divisor` (0: no change).
    pub(crate) fn weaken(&mut self, node: Node, divisor: u64) {
        self.unify(node, node, 0, divisor);
    }

    fn shrink(&mut self, root: Node, divisor: u64, work: &mut Vec<(Node, Node, i128, u64)>) {
        let old = self.nodes[root].modulus;
        let new = gcd(old, divisor);
        if new == old {
            return;
        }
        self.changes += 1;
        self.nodes[root].modulus = new;
        for (place, node) in std::mem::take(&mut self.nodes[root].contents) {
            self.insert_contents(root, place, node, work);
        }
    }

    fn insert_contents(
        &mut self,
        root: Node,
        place: i128,
        node: Node,
        work: &mut Vec<(Node, Node, i128, u64)>,
    ) {
        let key = reduce(place, self.nodes[root].modulus);
        match self.nodes[root].contents.get(&key) {
            Some(&other) => work.push((node, other, 0, 0)),
            None => {
                self.nodes[root].contents.insert(key, node);
            }
        }
    }
}

/// `offset` modulo `modulus`, or itself for modulus 0.
pub(crate) fn reduce(offset: i128, modulus: u64) -> i128 {
    if modulus == 0 { offset } else { offset.rem_euclid(i128::from(modulus)) }
}

/// The greatest common divisor, with `gcd(0, x) = x`.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_add_along_chains() {
        let mut classes = Classes::default();
        let nodes: Vec<Node> = (0..4).map(|_| classes.fresh()).collect();
        classes.unify(nodes[1], nodes[0], 4, 0);
        classes.unify(nodes[3], nodes[2], 8, 0);
        classes.unify(nodes[2], nodes[1], 16, 0);
        let (root, base) = classes.find(nodes[0]);
        let (other, end) = classes.find(nodes[3]);
        assert_eq!(root, other);
        assert_eq!(end - base, 28);
        assert_eq!(classes.modulus(root), 0);
    }

    #[test]
    fn contradicting_offsets_leave_their_greatest_common_divisor() {
        let mut classes = Classes::default();
        let (a, b) = (classes.fresh(), classes.fresh());
        classes.unify(a, b, 8, 0);
        classes.unify(a, b, 20, 0);
        let (root, _) = classes.find(a);
        assert_eq!(classes.modulus(root), 12);
        classes.unify(a, b, 8, 16);
        let (root, _) = classes.find(a);
        assert_eq!(classes.modulus(root), 4);
    }

    #[test]
    fn contents_at_offsets_that_become_equal_are_unified() {
        let mut classes = Classes::default();
        let base = classes.fresh();
        let (low, high) = (classes.fresh(), classes.fresh());
        classes.unify(low, base, 0, 0);
        classes.unify(high, base, 8, 0);
        let (first, second) = (classes.contents(low), classes.contents(high));
        assert_ne!(classes.find(first).0, classes.find(second).0);
        classes.weaken(base, 8);
        assert_eq!(classes.find(first).0, classes.find(second).0);
    }
}
