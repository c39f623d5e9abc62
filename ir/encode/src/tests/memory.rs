//! The form of memory in the encodings.

use super::*;

fn has_quantifier(pool: &TermPool, term: Term) -> bool {
    let mut found = false;
    pool.visit(&[term], |_| true, |term| found |= matches!(pool.op(term), Op::Forall | Op::Exists));
    found
}

#[test]
fn an_equality_of_memories_is_refused_approximated_or_exact() {
    for encoding in Encoding::ALL {
        let mut pool = TermPool::new();
        let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
        let (a, b) = (pool.symbol("a", sort), pool.symbol("b", sort));
        let equal = pool.eq(a, b);
        let mut encoder = Encoder::new(encoding, Overflow::Wrap);
        let translated = encoder.formula(&mut pool, equal);
        match encoding {
            Encoding::QfUfbvfp | Encoding::QfUflira => {
                assert_eq!(translated, Err(EncodeError::ArrayEquality(encoding)));
                continue;
            }
            Encoding::QfAuflira => assert!(!encoder.is_exact()),
            _ => assert!(encoder.is_exact()),
        }
        assert!(translated.is_ok());
        let is_by_witness = matches!(encoding, Encoding::Ufbvfp | Encoding::Auflira | Encoding::Uflira);
        let quantified =
            encoder.take_constraints().iter().filter(|&&term| has_quantifier(&pool, term)).count();
        assert_eq!(quantified > 0, is_by_witness, "{encoding}");
    }
}

#[test]
fn reads_of_eliminated_arrays_are_listed_and_writes_are_read_through() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let memory = pool.symbol("memory", sort);
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(8)));
    let place = pool.bv(32, 4096);
    let written = pool.store(memory, place, y);
    let read = pool.select(written, x);
    let mut encoder = linear();
    let translated = encoder.term(&mut pool, read).expect("linear");
    assert_eq!(pool.op(translated), Op::Ite);
    let Op::Symbol(memory) = pool.op(memory) else { panic!("memory is a symbol") };
    assert_eq!(encoder.initial_reads(memory).len(), 1);
    assert!(pool.free_symbols(translated).iter().all(|&symbol| pool.symbol_data(symbol).sort == Sort::Int));
    assert!(encoder.is_exact());
}

/// `count` accesses through unknown addresses, alternating writes and reads, with occasional
/// merges.
fn accesses(pool: &mut TermPool, count: usize) -> Term {
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(16));
    let zero = pool.bv(16, 0);
    let mut memory = pool.const_array(sort, zero);
    let mut sum = zero;
    for access in 0..count {
        let address = pool.symbol(&format!("p{access}"), Sort::BitVec(32));
        if access % 2 == 0 {
            let value = pool.symbol(&format!("e{access}"), Sort::BitVec(16));
            let written = pool.store(memory, address, value);
            let truth = pool.symbol(&format!("c{access}"), Sort::Bool);
            memory = if access % 8 == 0 { pool.ite(truth, written, memory) } else { written };
        } else {
            let read = pool.select(memory, address);
            sum = pool.bv_add(sum, read);
        }
    }
    pool.eq(sum, zero)
}

fn size(encoding: Encoding, count: usize) -> usize {
    let mut pool = TermPool::new();
    let formula = accesses(&mut pool, count);
    let mut encoder = Encoder::new(encoding, Overflow::Wrap);
    let translated = encoder.formula(&mut pool, formula).expect("it is small");
    let mut formulas = encoder.take_constraints();
    formulas.push(translated);
    let mut nodes = 0;
    pool.visit(&formulas, |_| true, |_| nodes += 1);
    nodes
}

#[test]
fn formulas_are_linear_in_accesses_unless_functions_are_eliminated() {
    for encoding in Encoding::ALL {
        let is_quadratic = matches!(encoding, Encoding::QfUfbvfp | Encoding::QfUflira);
        let (few, many) = (size(encoding, 100), size(encoding, 800));
        assert_eq!(many > 9 * few, is_quadratic, "{encoding}: {few} and {many} nodes");
    }
}

#[test]
fn a_write_makes_a_version_with_a_frame_axiom() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let memory = pool.symbol("memory", sort);
    let (p, e) = (pool.symbol("p", Sort::BitVec(8)), pool.symbol("e", Sort::BitVec(8)));
    let written = pool.store(memory, p, e);
    let q = pool.symbol("q", Sort::BitVec(8));
    let read = pool.select(written, q);
    let mut encoder = Encoder::new(Encoding::Ufbvfp, Overflow::Wrap);
    let read = encoder.term(&mut pool, read).expect("bit-precise");
    let constraints: Vec<String> =
        encoder.take_constraints().iter().map(|&term| pool.display(term).to_string()).collect();
    assert_eq!(pool.display(read).to_string(), "(memory!0 q)");
    assert_eq!(
        constraints,
        [
            "(= e (memory!0 p))",
            "(forall ((address (_ BitVec 8))) (or (= p address) (= (memory address) (memory!0 address))))",
        ]
    );
}

#[test]
fn memory_as_a_function_is_no_term() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let memory = pool.symbol("memory", sort);
    for encoding in Encoding::ALL {
        let result = Encoder::new(encoding, Overflow::Wrap).term(&mut pool, memory);
        assert_eq!(result.is_err(), encoding.heap() == Heap::Functions);
    }
}
