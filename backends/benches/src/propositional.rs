//! Clauses for the benches of search: small problems of several kinds, the same in every run.

/// Clauses as in DIMACS.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    /// Variables are numbered from 1 to this.
    pub variables: i32,
    /// Literals: a variable, negative if negated.
    pub clauses: Vec<Vec<i32>>,
}

/// A problem with a name.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The kind of the problem and its size.
    pub name: String,
    /// The problem.
    pub cnf: Cnf,
}

/// All problems.
pub fn instances() -> Vec<Instance> {
    let mut all = Vec::new();
    let mut add = |name: String, cnf: Cnf| all.push(Instance { name, cnf });
    for (variables, seed) in [(200, 1), (200, 2), (225, 3), (225, 4), (250, 5), (250, 6)] {
        add(format!("random 3-SAT {variables}/{seed}"), random(variables, variables * 426 / 100, seed));
    }
    for holes in 7..=9 {
        add(format!("pigeonhole {holes}"), pigeonhole(holes));
    }
    for bits in 5..=8 {
        add(format!("multiplier miter {bits}"), multiplier_miter(bits));
    }
    add("adder miter 12".to_owned(), adder_miter(12));
    for (vertices, seed) in [(200, 1), (250, 2), (300, 3), (350, 4), (350, 5)] {
        let edges = vertices * 23 / 10;
        add(format!("3-coloring {vertices}/{seed}"), coloring(vertices, edges, 3, seed));
    }
    for (steps, target, kind) in
        [(50, 251, "out of reach"), (50, 200, "in reach"), (800, 1, "odd"), (800, 2800, "in reach")]
    {
        add(format!("counter {steps} steps, {kind}"), counter(steps, target));
    }
    for product in [3571 * 2749, 11_000_027] {
        add(format!("factors of {product}"), factors(product));
    }
    all
}

/// A random-number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i32::try_from((z ^ (z >> 31)) % u64::from(bound.unsigned_abs())).expect("below an i32")
    }
}

/// Random clauses of three variables.
pub fn random(variables: i32, clauses: i32, seed: u64) -> Cnf {
    let mut random = Random(seed);
    let clause = |_| {
        let mut clause: Vec<i32> = Vec::new();
        while clause.len() < 3 {
            let variable = random.below(variables) + 1;
            if clause.iter().all(|literal| literal.abs() != variable) {
                clause.push(if random.below(2) == 0 { variable } else { -variable });
            }
        }
        clause
    };
    Cnf { variables, clauses: (0..clauses).map(clause).collect() }
}

/// One more pigeon than holes.
pub fn pigeonhole(holes: i32) -> Cnf {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Vec<Vec<i32>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| at(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for one in 0..=holes {
            clauses.extend((0..one).map(|other| vec![-at(one, hole), -at(other, hole)]));
        }
    }
    Cnf { variables: holes * (holes + 1), clauses }
}

/// Colors for the vertices of a random graph.
pub fn coloring(vertices: i32, edges: i32, colors: i32, seed: u64) -> Cnf {
    let mut random = Random(seed);
    let is = |vertex: i32, color: i32| vertex * colors + color + 1;
    let mut clauses: Vec<Vec<i32>> =
        (0..vertices).map(|vertex| (0..colors).map(|color| is(vertex, color)).collect()).collect();
    let mut made = 0;
    while made < edges {
        let (from, to) = (random.below(vertices), random.below(vertices));
        if from != to {
            clauses.extend((0..colors).map(|color| vec![-is(from, color), -is(to, color)]));
            made += 1;
        }
    }
    Cnf { variables: vertices * colors, clauses }
}

/// Gates, each a variable with the clauses that define it (Tseitin).
impl Cnf {
    fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn word(&mut self, bits: usize) -> Vec<i32> {
        (0..bits).map(|_| self.fresh()).collect()
    }

    fn add(&mut self, clause: &[i32]) {
        self.clauses.push(clause.to_vec());
    }

    fn constant(&mut self, value: bool) -> i32 {
        let constant = self.fresh();
        self.add(&[if value { constant } else { -constant }]);
        constant
    }

    fn and(&mut self, a: i32, b: i32) -> i32 {
        let gate = self.fresh();
        self.add(&[-gate, a]);
        self.add(&[-gate, b]);
        self.add(&[gate, -a, -b]);
        gate
    }

    fn or(&mut self, a: i32, b: i32) -> i32 {
        -self.and(-a, -b)
    }

    fn xor(&mut self, a: i32, b: i32) -> i32 {
        let gate = self.fresh();
        self.add(&[-gate, a, b]);
        self.add(&[-gate, -a, -b]);
        self.add(&[gate, -a, b]);
        self.add(&[gate, a, -b]);
        gate
    }

    fn choose(&mut self, condition: i32, a: i32, b: i32) -> i32 {
        let gate = self.fresh();
        self.add(&[-condition, -gate, a]);
        self.add(&[-condition, gate, -a]);
        self.add(&[condition, -gate, b]);
        self.add(&[condition, gate, -b]);
        gate
    }

    fn full_adder(&mut self, a: i32, b: i32, carry: i32) -> (i32, i32) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let (both, passed) = (self.and(a, b), self.and(half, carry));
        (sum, self.or(both, passed))
    }

    /// The ripple-carry sum, modulo the width of `a`.
    fn ripple(&mut self, a: &[i32], b: &[i32]) -> Vec<i32> {
        let mut carry = self.constant(false);
        let mut sum = Vec::new();
        for (&a, &b) in a.iter().zip(b) {
            let (bit, out) = self.full_adder(a, b, carry);
            sum.push(bit);
            carry = out;
        }
        sum
    }

    /// The carry-select sum: blocks of three bits, computed for both carries.
    fn carry_select(&mut self, a: &[i32], b: &[i32]) -> Vec<i32> {
        let mut carry = self.constant(false);
        let mut sum = Vec::new();
        for (a, b) in a.chunks(3).zip(b.chunks(3)) {
            let mut carries = [self.constant(false), self.constant(true)];
            for (&a, &b) in a.iter().zip(b) {
                let (low, without) = self.full_adder(a, b, carries[0]);
                let (high, with) = self.full_adder(a, b, carries[1]);
                carries = [without, with];
                sum.push(self.choose(carry, high, low));
            }
            carry = self.choose(carry, carries[1], carries[0]);
        }
        sum
    }

    /// The product as a sum of shifted rows, of full width.
    fn array_multiplier(&mut self, a: &[i32], b: &[i32]) -> Vec<i32> {
        let width = a.len() + b.len();
        let zero = self.constant(false);
        let mut sum = vec![zero; width];
        for (shift, &bit) in b.iter().enumerate() {
            let mut row = vec![zero; width];
            for (at, &other) in a.iter().enumerate() {
                row[shift + at] = self.and(bit, other);
            }
            sum = self.ripple(&sum, &row);
        }
        sum
    }

    /// The product by columns of bits: three bits become one and a carry, until one bit remains.
    fn column_multiplier(&mut self, a: &[i32], b: &[i32]) -> Vec<i32> {
        let width = a.len() + b.len();
        let mut columns = vec![std::collections::VecDeque::new(); width];
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                columns[i + j].push_back(self.and(a, b));
            }
        }
        let mut product = Vec::new();
        for at in 0..width {
            while columns[at].len() > 1 {
                let one = columns[at].pop_front().expect("at least two");
                let two = columns[at].pop_front().expect("at least two");
                let three = match columns[at].pop_front() {
                    Some(three) => three,
                    None => self.constant(false),
                };
                let (sum, carry) = self.full_adder(one, two, three);
                columns[at].push_back(sum);
                if let Some(next) = columns.get_mut(at + 1) {
                    next.push_back(carry);
                }
            }
            product.push(match columns[at].pop_front() {
                Some(bit) => bit,
                None => self.constant(false),
            });
        }
        product
    }

    fn differ(&mut self, a: &[i32], b: &[i32]) {
        let differences: Vec<i32> = a.iter().zip(b).map(|(&a, &b)| self.xor(a, b)).collect();
        self.add(&differences);
    }
}

/// Requires two ways to multiply, one with exchanged factors, to differ.
pub fn multiplier_miter(bits: usize) -> Cnf {
    let mut cnf = Cnf::default();
    let (a, b) = (cnf.word(bits), cnf.word(bits));
    let (one, other) = (cnf.array_multiplier(&a, &b), cnf.column_multiplier(&b, &a));
    cnf.differ(&one, &other);
    cnf
}

/// Factors of 12 bits, other than 1. (11,000,027 is prime.)
pub fn factors(product: u32) -> Cnf {
    let mut cnf = Cnf::default();
    let (a, b) = (cnf.word(12), cnf.word(12));
    for (at, bit) in cnf.array_multiplier(&a, &b).into_iter().enumerate() {
        cnf.add(&[if product >> at & 1 == 1 { bit } else { -bit }]);
    }
    cnf.add(&a[1..]);
    cnf.add(&b[1..]);
    cnf
}

/// Requires two ways to add to differ: `(a + b) + c` by ripple carry, `a + (b + c)` by carry
/// select.
pub fn adder_miter(bits: usize) -> Cnf {
    let mut cnf = Cnf::default();
    let (a, b, c) = (cnf.word(bits), cnf.word(bits), cnf.word(bits));
    let one = cnf.ripple(&a, &b);
    let one = cnf.ripple(&one, &c);
    let other = cnf.carry_select(&b, &c);
    let other = cnf.carry_select(&a, &other);
    cnf.differ(&one, &other);
    cnf
}

/// A counter of 12 bits that starts at 0; each step adds 3 or 5, and its final value is `target`.
pub fn counter(steps: usize, target: u32) -> Cnf {
    const BITS: usize = 12;
    let mut cnf = Cnf::default();
    let zero = cnf.constant(false);
    let mut state = vec![zero; BITS];
    for _ in 0..steps {
        let input = cnf.fresh();
        // 3 is 011, 5 is 101.
        let mut added = vec![zero; BITS];
        added[0] = -zero;
        added[1] = input;
        added[2] = -input;
        state = cnf.ripple(&state, &added);
    }
    for (at, &bit) in state.iter().enumerate() {
        cnf.add(&[if target >> at & 1 == 1 { bit } else { -bit }]);
    }
    cnf
}
