//! Interpolation problems, unsatisfiable by construction.

use backends::interpolation::{Problem, Tree};
use num_rational::BigRational;
use terms::{Sort, Term, TermPool};

/// A reproducible random-number generator.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Symbols and shorthands of one sort of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    Int,
    Real,
    Bits(u32),
}

impl Numbers {
    pub(crate) fn sort(self) -> Sort {
        match self {
            Numbers::Int => Sort::Int,
            Numbers::Real => Sort::Real,
            Numbers::Bits(width) => Sort::BitVec(width),
        }
    }

    pub(crate) fn constant(self, pool: &mut TermPool, value: i64) -> Term {
        match self {
            Numbers::Int => pool.int(value),
            Numbers::Real => pool.real(&BigRational::from_integer(value.into())),
            Numbers::Bits(width) => pool.bv_i64(width, value),
        }
    }

    pub(crate) fn add(self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match self {
            Numbers::Bits(_) => pool.bv_add(a, b),
            _ => pool.add(&[a, b]),
        }
    }

    pub(crate) fn times(self, pool: &mut TermPool, factor: i64, a: Term) -> Term {
        let factor = self.constant(pool, factor);
        match self {
            Numbers::Bits(_) => pool.bv_mul(factor, a),
            _ => pool.mul(factor, a),
        }
    }

    pub(crate) fn symbol(self, pool: &mut TermPool, name: &str) -> Term {
        pool.symbol(name, self.sort())
    }
}

/// x = y = 0, n times x += 1 and y += 2, then y ≠ 2x.
pub(crate) fn straight_line(pool: &mut TermPool, numbers: Numbers, steps: usize) -> Problem {
    let at = |pool: &mut TermPool, name: &str, step: usize| numbers.symbol(pool, &format!("{name}{step}"));
    let zero = numbers.constant(pool, 0);
    let (x, y) = (at(pool, "x", 0), at(pool, "y", 0));
    let mut parts = vec![vec![pool.eq(x, zero), pool.eq(y, zero)]];
    for step in 0..steps {
        let (x, y) = (at(pool, "x", step), at(pool, "y", step));
        let (next_x, next_y) = (at(pool, "x", step + 1), at(pool, "y", step + 1));
        let (one, two) = (numbers.constant(pool, 1), numbers.constant(pool, 2));
        let (x, y) = (numbers.add(pool, x, one), numbers.add(pool, y, two));
        parts.push(vec![pool.eq(next_x, x), pool.eq(next_y, y)]);
    }
    let (x, y) = (at(pool, "x", steps), at(pool, "y", steps));
    let twice = numbers.times(pool, 2, x);
    parts.push(vec![pool.neq(y, twice)]);
    Problem::sequence(parts)
}

/// Like [`straight_line`], with a branch in every step.
pub(crate) fn branches(pool: &mut TermPool, numbers: Numbers, steps: usize) -> Problem {
    let mut problem = straight_line(pool, numbers, steps);
    for step in 0..steps {
        let condition = pool.symbol(&format!("c{step}"), Sort::Bool);
        let x = numbers.symbol(pool, &format!("x{step}"));
        let y = numbers.symbol(pool, &format!("y{step}"));
        let next_x = numbers.symbol(pool, &format!("x{}", step + 1));
        let next_y = numbers.symbol(pool, &format!("y{}", step + 1));
        let stays = [pool.eq(next_x, x), pool.eq(next_y, y)];
        let stays = pool.and(&stays);
        let moves = pool.and(&problem.parts[step + 1]);
        problem.parts[step + 1] = vec![pool.ite(condition, moves, stays)];
    }
    problem
}

/// i = 2j against i = 2k + 1.
pub(crate) fn parity(pool: &mut TermPool) -> Problem {
    let numbers = Numbers::Int;
    let [i, j, k] = ["i", "j", "k"].map(|name| numbers.symbol(pool, name));
    let even = numbers.times(pool, 2, j);
    let odd = numbers.times(pool, 2, k);
    let one = pool.int(1);
    let odd = pool.add(&[odd, one]);
    Problem::binary(vec![pool.eq(i, even)], vec![pool.eq(i, odd)])
}

/// 3i + 10k ≤ 17 and 2j = i + k … with coefficients that do not divide each other.
pub(crate) fn coefficients(pool: &mut TermPool) -> Problem {
    let numbers = Numbers::Int;
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| numbers.symbol(pool, name));
    // A: 4 ≤ 3u ≤ x, 5u ≤ y.  B: x + y ≤ 15, v ≥ x, 2v ≤ 11.
    let three_u = numbers.times(pool, 3, u);
    let five_u = numbers.times(pool, 5, u);
    let four = pool.int(4);
    let a = vec![pool.le(four, three_u), pool.le(three_u, x), pool.le(five_u, y)];
    let sum = pool.add(&[x, y]);
    let fifteen = pool.int(15);
    let two_v = numbers.times(pool, 2, v);
    let eleven = pool.int(11);
    let b = vec![pool.le(sum, fifteen), pool.le(x, v), pool.le(two_v, eleven)];
    Problem::binary(a, b)
}

/// Disjunctions over local variables.
pub(crate) fn disjunctions(pool: &mut TermPool, numbers: Numbers) -> Problem {
    let [x, y, t, w] = ["x", "y", "t", "w"].map(|name| numbers.symbol(pool, name));
    let constants: Vec<Term> = (0..10).map(|value| numbers.constant(pool, value)).collect();
    let a1 = pool.eq(t, constants[1]);
    let a2 = pool.eq(t, constants[2]);
    let t2 = numbers.add(pool, t, t);
    let a = vec![pool.or2(a1, a2), pool.eq(x, t2)];
    let b1 = pool.eq(w, constants[3]);
    let b2 = pool.eq(w, constants[5]);
    let middle = numbers.add(pool, x, constants[1]);
    let last = pool.eq(y, w);
    let b = vec![pool.or2(b1, b2), last];
    // y = x + 1 is 3 or 5, but the third part excludes both.
    let c1 = pool.neq(y, constants[3]);
    let c2 = pool.neq(y, constants[5]);
    Problem::sequence(vec![a, vec![pool.eq(y, middle)], vec![c1, c2], b])
}

/// a = store(b, i, 1) with local b, and a[i] = 2.
pub(crate) fn arrays(pool: &mut TermPool) -> Problem {
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
    let [i, j, k] = ["i", "j", "k"].map(|name| pool.symbol(name, Sort::Int));
    let (one, two) = (pool.int(1), pool.int(2));
    let written = pool.store(b, i, one);
    let first = vec![pool.eq(a, written), pool.eq(j, i)];
    let copied = pool.store(a, k, two);
    let distinct = pool.neq(k, j);
    let second = vec![pool.eq(c, copied), distinct];
    let read = pool.select(c, j);
    let third = vec![pool.neq(read, one)];
    Problem::sequence(vec![first, second, third])
}

/// A local array that is read at two indices.
pub(crate) fn reads(pool: &mut TermPool) -> Problem {
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let m = pool.symbol("m", sort);
    let [i, j, p, q] = ["i", "j", "p", "q"].map(|name| pool.symbol(name, Sort::Int));
    let (read_i, read_j) = (pool.select(m, i), pool.select(m, j));
    let a = vec![pool.eq(read_i, p), pool.eq(read_j, q)];
    let b = vec![pool.eq(i, j), pool.neq(p, q)];
    Problem::binary(a, b)
}

/// A function that occurs only in A.
pub(crate) fn local_function(pool: &mut TermPool) -> Problem {
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [x, y, p, q] = ["x", "y", "p", "q"].map(|name| pool.symbol(name, Sort::Int));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let ffx = pool.apply(f, &[fx]);
    let a = vec![pool.eq(fx, p), pool.eq(fy, q), pool.eq(ffx, x)];
    let b = vec![pool.eq(x, y), pool.neq(p, q)];
    Problem::binary(a, b)
}

/// A shared function with a local argument.
pub(crate) fn shared_function(pool: &mut TermPool) -> Problem {
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [x, y, z, p] = ["x", "y", "z", "p"].map(|name| pool.symbol(name, Sort::Int));
    let fx = pool.apply(f, &[x]);
    let fy = pool.apply(f, &[y]);
    let fz = pool.apply(f, &[z]);
    let a1 = pool.eq(x, y);
    let a2 = pool.eq(x, z);
    let a = vec![pool.or2(a1, a2), pool.eq(fx, p)];
    let b = vec![pool.neq(fy, p), pool.neq(fz, p)];
    Problem::binary(a, b)
}

/// Bit vectors: masks, shifts and concatenations of local variables.
pub(crate) fn bits(pool: &mut TermPool) -> Problem {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let [h, l] = ["h", "l"].map(|name| pool.symbol(name, Sort::BitVec(4)));
    let joined = pool.concat(h, l);
    let seven = pool.bv(8, 7);
    let product = pool.bv_mul(x, seven);
    let zero = pool.bv(4, 0);
    let a = vec![pool.eq(product, joined), pool.eq(l, zero)];
    let sum = pool.bv_add(x, y);
    let low = pool.extract(0, 0, sum);
    let bit = pool.bv(1, 1);
    let b = vec![pool.eq(low, bit)];
    let y_low = pool.extract(0, 0, y);
    let c = vec![pool.neq(y_low, bit)];
    Problem::sequence(vec![a, b, c])
}

/// Divisions and remainders by constants.
pub(crate) fn remainders(pool: &mut TermPool) -> Problem {
    let [x, y, t, s] = ["x", "y", "t", "s"].map(|name| pool.symbol(name, Sort::Int));
    let (six, four, one) = (pool.int(6), pool.int(4), pool.int(1));
    let six_t = pool.mul(six, t);
    let x_value = pool.add(&[six_t, one]);
    let a = vec![pool.eq(x, x_value)];
    let four_s = pool.mul(four, s);
    let y_value = pool.add(&[x, four_s]);
    let two = pool.int(2);
    let b = vec![pool.eq(y, y_value)];
    let parity = pool.int_mod(y, two);
    let zero = pool.int(0);
    let c = vec![pool.eq(parity, zero)];
    Problem::sequence(vec![a, b, c])
}

/// A tree of `size` nodes with random parents.
pub(crate) fn random_tree(random: &mut Random, size: usize) -> Tree {
    let parents = (0..size).map(|node| (node + 1 < size).then(|| node + 1 + random.below(size - node - 1)));
    Tree::new(parents.collect()).expect("parents come later")
}

/// Each node adds 1 or 2 (its own choice) to the sum of its children; the root's sum is too small.
pub(crate) fn summing_tree(
    pool: &mut TermPool,
    numbers: Numbers,
    random: &mut Random,
    size: usize,
) -> Problem {
    let tree = random_tree(random, size);
    let children = tree.children();
    let sum = |pool: &mut TermPool, node: usize| numbers.symbol(pool, &format!("s{node}"));
    let mut parts = Vec::new();
    for (node, below) in children.iter().enumerate() {
        let extra = numbers.symbol(pool, &format!("e{node}"));
        let (one, two) = (numbers.constant(pool, 1), numbers.constant(pool, 2));
        let choice = [pool.eq(extra, one), pool.eq(extra, two)];
        let mut total = extra;
        for &child in below {
            let child = sum(pool, child);
            total = numbers.add(pool, total, child);
        }
        let own = sum(pool, node);
        parts.push(vec![pool.or(&choice), pool.eq(own, total)]);
    }
    let own = sum(pool, size - 1);
    let bound = numbers.constant(pool, size as i64);
    let too_small = match numbers {
        Numbers::Bits(_) => pool.bv_ult(own, bound),
        _ => pool.lt(own, bound),
    };
    parts[size - 1].push(too_small);
    Problem { parts, tree }
}

/// A chain of equations and bounds whose links are at random nodes of a random tree, and some
/// irrelevant conjuncts.
pub(crate) fn scattered(pool: &mut TermPool, numbers: Numbers, random: &mut Random, size: usize) -> Problem {
    let tree = random_tree(random, size);
    let mut parts = vec![Vec::new(); size];
    let links = 2 + random.below(12);
    let mut total = 0;
    let zero = numbers.constant(pool, 0);
    let mut x = numbers.symbol(pool, "x0");
    parts[random.below(size)].push(pool.eq(x, zero));
    for link in 1..=links {
        let next = numbers.symbol(pool, &format!("x{link}"));
        let step = random.below(5) as i64;
        total += step;
        let step = numbers.constant(pool, step);
        let sum = numbers.add(pool, x, step);
        let other = numbers.symbol(pool, &format!("u{link}"));
        parts[random.below(size)].push(pool.eq(next, sum));
        let useless = numbers.add(pool, next, other);
        let useless = pool.neq(useless, other);
        let is_any = pool.symbol(&format!("b{link}"), Sort::Bool);
        parts[random.below(size)].push(pool.or2(useless, is_any));
        let same = pool.eq(other, next);
        parts[random.below(size)].push(same);
        x = next;
    }
    let total = numbers.constant(pool, total);
    parts[random.below(size)].push(pool.neq(x, total));
    Problem { parts, tree }
}
