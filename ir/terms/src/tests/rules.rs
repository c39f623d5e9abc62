//! Examples of the simplifications that other crates rely on.

use crate::{BvSum, Op, Sort, Term, TermPool};

fn bools<const N: usize>(pool: &mut TermPool) -> [Term; N] {
    std::array::from_fn(|i| pool.symbol(&format!("p{i}"), Sort::Bool))
}

fn bvs<const N: usize>(pool: &mut TermPool, width: u32) -> [Term; N] {
    std::array::from_fn(|i| pool.symbol(&format!("x{i}"), Sort::BitVec(width)))
}

fn ints<const N: usize>(pool: &mut TermPool) -> [Term; N] {
    std::array::from_fn(|i| pool.symbol(&format!("i{i}"), Sort::Int))
}

#[test]
fn a_guard_comes_back_where_branches_join() {
    for conjuncts in 1..12 {
        let mut pool = TermPool::new();
        let mut g = pool.tru();
        for i in 0..conjuncts {
            let p = pool.symbol(&format!("g{i}"), Sort::Bool);
            g = pool.and2(g, p);
        }
        let [c, d, e] = bools(&mut pool);
        let [not_c, not_d, not_e] = [c, d, e].map(|t| pool.not(t));
        let gc = pool.and2(g, c);
        let gnc = pool.and2(g, not_c);
        assert_eq!(pool.or2(gc, gnc), g);
        let gncd = pool.and2(gnc, d);
        let gncnd = pool.and2(gnc, not_d);
        assert_eq!(pool.or(&[gc, gncd, gncnd]), g);
        let first = pool.or2(gc, gncd);
        assert_eq!(pool.or2(first, gncnd), g);
        let first = pool.or2(gncnd, gc);
        assert_eq!(pool.or2(first, gncd), g);
        let gncnde = pool.and2(gncnd, e);
        let gncndne = pool.and2(gncnd, not_e);
        assert_eq!(pool.or(&[gncndne, gc, gncd, gncnde]), g);
        let first = pool.or2(gc, gncd);
        let second = pool.or2(first, gncnde);
        assert_eq!(pool.or2(second, gncndne), g);
    }
}

#[test]
fn a_guard_comes_back_after_a_long_switch() {
    for cases in [5, 30, 200] {
        let mut pool = TermPool::new();
        let g = pool.symbol("g", Sort::Bool);
        let mut rest = g;
        let mut edges = Vec::new();
        for i in 0..cases {
            let c = pool.symbol(&format!("c{i}"), Sort::Bool);
            edges.push(pool.and2(rest, c));
            let not_c = pool.not(c);
            rest = pool.and2(rest, not_c);
        }
        edges.push(rest);
        assert_eq!(pool.or(&edges), g, "{cases} cases");
    }
}

#[test]
fn junctions_absorb_and_resolve() {
    let mut pool = TermPool::new();
    let [p, q, r] = bools(&mut pool);
    let not_p = pool.not(p);
    let pq = pool.and2(p, q);
    assert_eq!(pool.or2(p, pq), p);
    let not_p_and_q = pool.and2(not_p, q);
    let p_or_q = pool.or2(p, q);
    assert_eq!(pool.or2(p, not_p_and_q), p_or_q);
    assert_eq!(pool.and2(p, p_or_q), p);
    let not_p_or_q = pool.or2(not_p, q);
    assert_eq!(pool.and2(p, not_p_or_q), pq);
    let pr = pool.and2(p, r);
    let factored = pool.or2(pq, pr);
    let q_or_r = pool.or2(q, r);
    assert_eq!(factored, pool.and2(p, q_or_r));
    let not_pq = pool.not(pq);
    assert_eq!(pool.or2(pq, not_pq), pool.tru());
    assert_eq!(pool.and2(pq, not_pq), pool.fls());
}

#[test]
fn a_chain_of_conjunctions_takes_linear_memory() {
    let mut pool = TermPool::new();
    let mut g = pool.tru();
    for i in 0..1000 {
        let p = pool.symbol(&format!("p{i}"), Sort::Bool);
        g = pool.and2(g, p);
        assert!(pool.children(g).len() <= 9);
    }
    assert!(pool.len() < 3100);
}

#[test]
fn conditions_of_c_collapse() {
    let mut pool = TermPool::new();
    let [x, y] = bvs(&mut pool, 8);
    let c = pool.bv_ult(x, y);
    let not_c = pool.not(c);
    let (one, zero) = (pool.bv(32, 1), pool.bv(32, 0));
    let int = pool.ite(c, one, zero);
    assert_eq!(pool.neq(int, zero), c);
    assert_eq!(pool.eq(int, zero), not_c);
    let long = pool.sign_extend(32, int);
    let zero64 = pool.bv(64, 0);
    assert_eq!(pool.neq(long, zero64), c);
    let byte = pool.extract(7, 0, int);
    let zero8 = pool.bv(8, 0);
    assert_eq!(pool.neq(byte, zero8), c);
    assert_eq!(pool.bv_slt(zero, int), c);
    let negated = pool.ite(not_c, one, zero);
    let sum = pool.bv_add(int, one);
    assert_eq!(pool.eq(sum, one), not_c);
    assert_eq!(pool.bv_xor(int, one), negated);
    let d = pool.eq(x, y);
    let other = pool.ite(d, one, zero);
    let both = pool.bv_and(int, other);
    let expected = pool.and2(c, d);
    assert_eq!(pool.neq(both, zero), expected);
    let logical = pool.ite(c, one, other);
    let expected = pool.or2(c, d);
    assert_eq!(pool.neq(logical, zero), expected);
}

#[test]
fn sums_collect_constants_and_cancel() {
    let mut pool = TermPool::new();
    let [x, y] = bvs(&mut pool, 32);
    let (one, two, three) = (pool.bv(32, 1), pool.bv(32, 2), pool.bv(32, 3));
    let x1 = pool.bv_add(x, one);
    let x3 = pool.bv_add(x, three);
    assert_eq!(pool.bv_add(x1, two), x3);
    assert_eq!(pool.bv_sub(x3, x1), two);
    let sum = pool.bv_add(x1, y);
    assert_eq!(pool.bv_sub(sum, y), x1);
    assert_eq!(pool.eq(x1, x3), pool.fls());
    let difference = pool.bv_sub(x, y);
    assert_eq!(pool.bv_add(y, difference), x);
    let equal = pool.eq(x1, three);
    assert_eq!(equal, pool.eq(x, two));
}

#[test]
fn sums_of_bit_vectors_are_taken_apart() {
    let mut pool = TermPool::new();
    let [x, y] = bvs(&mut pool, 32);
    let (one, four) = (pool.bv(32, 1), pool.bv(32, 4));
    let index = pool.bv_sub(x, one);
    let scaled = pool.bv_mul(four, index);
    let not_y = pool.bv_not(y);
    let sum = pool.bv_add(scaled, not_y);
    let expected = BvSum { width: 32, summands: vec![(x, 4), (y, -1)], constant: -5 };
    assert_eq!(pool.bv_sum(sum), Some(expected));
    let product = pool.bv_mul(x, y);
    let expected = BvSum { width: 32, summands: vec![(product, 1)], constant: 0 };
    assert_eq!(pool.bv_sum(product), Some(expected));
    // As a tree, this sum has 2^100 summands.
    let mut doubled = x;
    for _ in 0..100 {
        let more = pool.bv_add(doubled, y);
        doubled = pool.bv_add(doubled, more);
    }
    let all_ones = BvSum { width: 32, summands: vec![(y, -1)], constant: 0 };
    assert_eq!(pool.bv_sum(doubled), Some(all_ones));
    let wide = pool.symbol("wide", Sort::BitVec(65));
    assert_eq!(pool.bv_sum(wide), None);
}

#[test]
fn bytes_of_a_word_are_found_again() {
    let mut pool = TermPool::new();
    let [x] = bvs(&mut pool, 32);
    let bytes: Vec<Term> = (0..4).map(|i| pool.extract(8 * i + 7, 8 * i, x)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &byte| pool.concat(byte, low));
    assert_eq!(word, x);
    let word = bytes[..3].iter().rev().fold(bytes[3], |high, &byte| pool.concat(high, byte));
    assert_eq!(word, x);
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let pair = pool.concat(a, b);
    assert_eq!(pool.extract(7, 0, pair), b);
    assert_eq!(pool.extract(15, 8, pair), a);
}

#[test]
fn a_word_that_is_chosen_byte_by_byte_is_a_choice_of_words() {
    let mut pool = TermPool::new();
    let [c, other] = bools(&mut pool);
    let [x, y] = bvs(&mut pool, 32);
    let byte = |pool: &mut TermPool, c: Term, i: u32| {
        let [then, otherwise] = [x, y].map(|word| pool.extract(8 * i + 7, 8 * i, word));
        pool.ite(c, then, otherwise)
    };
    let bytes: Vec<Term> = (0..4).map(|i| byte(&mut pool, c, i)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &byte| pool.concat(byte, low));
    assert_eq!(word, pool.ite(c, x, y));
    let high = byte(&mut pool, other, 3);
    assert_eq!(pool.concat(high, bytes[2]), pool.intern(Op::Concat, Sort::BitVec(16), &[high, bytes[2]]));
}

#[test]
fn comparisons_of_extended_terms_are_narrow() {
    let mut pool = TermPool::new();
    let [x, y] = bvs(&mut pool, 8);
    let (wide_x, wide_y) = (pool.zero_extend(24, x), pool.zero_extend(24, y));
    let expected = pool.bv_ult(x, y);
    assert_eq!(pool.bv_slt(wide_x, wide_y), expected);
    let k = pool.bv(32, 1000);
    assert_eq!(pool.bv_slt(wide_x, k), pool.tru());
    assert_eq!(pool.eq(wide_x, k), pool.fls());
    let (k, narrow_k) = (pool.bv(32, 10), pool.bv(8, 10));
    let expected = pool.eq(x, narrow_k);
    assert_eq!(pool.eq(wide_x, k), expected);
}

#[test]
fn a_comparison_and_its_negation_are_one_atom() {
    let mut pool = TermPool::new();
    let [x, y] = bvs(&mut pool, 8);
    let less = pool.bv_slt(x, y);
    let not_less = pool.bv_sle(y, x);
    assert_eq!(pool.not(less), not_less);
    let [i, j] = ints(&mut pool);
    let less = pool.lt(i, j);
    let not_less = pool.le(j, i);
    assert_eq!(pool.not(less), not_less);
    let one = pool.int(1);
    let next = pool.add(&[i, one]);
    assert_eq!(pool.le(next, j), less);
    let five = pool.int(5);
    let six = pool.int(6);
    let at_most = pool.le(i, five);
    assert_eq!(pool.lt(i, six), at_most);
    let at_least = pool.le(six, i);
    assert_eq!(pool.not(at_most), at_least);
}

#[test]
fn linear_terms_are_collected() {
    let mut pool = TermPool::new();
    let [i, j] = ints(&mut pool);
    let (two, three, six) = (pool.int(2), pool.int(3), pool.int(6));
    let twice = pool.add(&[i, i]);
    assert_eq!(twice, pool.mul(two, i));
    let thrice = pool.add(&[twice, i]);
    assert_eq!(thrice, pool.mul(i, three));
    let difference = pool.sub(thrice, i);
    assert_eq!(difference, twice);
    let sum = pool.add(&[i, j]);
    assert_eq!(pool.sub(sum, j), i);
    let even = pool.mul(two, j);
    let odd = pool.add(&[even, three]);
    assert_eq!(pool.eq(odd, twice), pool.fls());
    let equal = pool.eq(twice, six);
    assert_eq!(equal, pool.eq(i, three));
}

#[test]
fn reads_find_writes() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let a = pool.symbol("a", sort);
    let [i, j] = bvs(&mut pool, 32);
    let (v, w) = (pool.bv(8, 1), pool.bv(8, 2));
    let one = pool.bv(32, 1);
    let next = pool.bv_add(i, one);
    let first = pool.store(a, i, v);
    let second = pool.store(first, next, w);
    assert_eq!(pool.select(second, i), v);
    assert_eq!(pool.select(second, next), w);
    let read = pool.select(second, j);
    assert_eq!(pool.op(read), Op::Select);
    let again = pool.store(second, next, v);
    assert_eq!(pool.children(again)[0], first);
    let value = pool.select(a, i);
    assert_eq!(pool.store(a, i, value), a);
}

#[test]
#[should_panic(expected = "should be bit vectors of one width")]
fn a_sum_of_different_widths_is_a_bug() {
    let mut pool = TermPool::new();
    let (a, b) = (pool.bv(8, 1), pool.bv(16, 1));
    pool.bv_add(a, b);
}

#[test]
fn fresh_symbols_avoid_names_in_use() {
    let mut pool = TermPool::new();
    pool.symbol("x!0", Sort::Int);
    pool.function_symbol("x!1", &[Sort::Int], Sort::Int);
    let fresh = pool.fresh_symbol("x", Sort::Bool, Default::default());
    assert_eq!(pool.display(fresh).to_string(), "x!2");
}

#[test]
fn a_constant_taken_from_a_sum_with_a_constant_keeps_both() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let (one, two) = (pool.bv(8, 1), pool.bv(8, 2));
    let sum = pool.bv_add(x, one);
    let minus_one = pool.bv(8, 255);
    let expected = pool.bv_add(x, minus_one);
    assert_eq!(pool.bv_sub(sum, two), expected);
}

#[test]
fn conjuncts_are_told_once_in_order() {
    let mut pool = TermPool::new();
    let [p, q, r, s] = bools(&mut pool);
    let [not_q, not_r] = [q, r].map(|t| pool.not(t));
    let either = pool.or2(q, r);
    let neither = pool.not(either);
    let inner = pool.and2(p, neither);
    let disjunction = pool.or2(p, s);
    let tru = pool.tru();
    let found = pool.conjuncts(&[s, tru, inner, disjunction, p]);
    assert_eq!(found, [s, p, not_q, not_r, disjunction]);
}

#[test]
fn atoms_whose_sums_cancel_are_those_of_what_remains() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let c = pool.symbol("c", Sort::Bool);
    let [zero, one, three, minus_three] = [0, 1, 3, -3].map(|value| pool.int(value));
    let choice = pool.ite(c, x, zero);
    let expected = pool.eq(choice, minus_three);
    let sum = pool.add(&[choice, three]);
    assert_eq!(pool.eq(sum, zero), expected);
    assert_eq!(pool.op(expected), Op::And);
    let choice = pool.ite(c, zero, three);
    let (left, right) = (pool.add(&[choice, y]), pool.add(&[y, one]));
    let expected = pool.le(choice, one);
    assert_eq!(pool.le(left, right), expected);
    assert_eq!(expected, c);
}

#[test]
fn products_of_extensions_are_as_narrow_as_they_may_be() {
    let mut pool = TermPool::new();
    let (a, b) = (pool.symbol("a", Sort::BitVec(4)), pool.symbol("b", Sort::BitVec(3)));
    for is_signed in [true, false] {
        let mut extend = |bits: u32, term: Term| match is_signed {
            true => pool.sign_extend(bits, term),
            false => pool.zero_extend(bits, term),
        };
        let (narrow, wide) = ([extend(3, a), extend(4, b)], [extend(8, a), extend(9, b)]);
        let product = pool.bv_mul(narrow[0], narrow[1]);
        let extended = match is_signed {
            true => pool.sign_extend(5, product),
            false => pool.zero_extend(5, product),
        };
        assert_eq!(pool.bv_mul(wide[0], wide[1]), extended);
    }
    // A signed product of 64 bits of two numbers of 32 bits does not overflow.
    let (a, b) = (pool.symbol("c", Sort::BitVec(32)), pool.symbol("d", Sort::BitVec(32)));
    let (x, y) = (pool.sign_extend(96, a), pool.sign_extend(96, b));
    let product = pool.bv_mul(x, y);
    let least = pool.bv(64, 1 << 63);
    let least = pool.sign_extend(64, least);
    let overflows = pool.bv_slt(product, least);
    assert_eq!(overflows, pool.fls());
}
