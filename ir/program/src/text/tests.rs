use super::*;
use crate::ssa::check::check;
use crate::ssa::{Block, InstructionKind};
use crate::testing::{Graph, Shape, random_program};
use grammars::source::{SourceMap, Span};
use proptest::prelude::*;
use terms::{RoundingMode, Sort, Term, TermPool};

fn errors(text: &str) -> String {
    parse_text(&mut TermPool::new(), text).expect_err("the text should be refused")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_program_parses_to_one_that_prints_the_same(seed: u64, blocks in 1usize..10, acyclic: bool) {
        let graph = if acyclic { Graph::Reducible } else { Graph::Any };
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape { graph, blocks, ..Shape::SMALL });
        let violations = check(&pool, &program);
        prop_assert!(violations.is_empty(), "{violations:?}\n{}", print(&pool, &program, None));
        let text = print(&pool, &program, None);
        // The same pool yields the same terms; a fresh pool shows that the text does not depend on
        // it.
        let again = parse_text(&mut pool, &text);
        prop_assert!(again.is_ok(), "{}\n{text}", again.unwrap_err());
        let again = again.expect("just checked");
        prop_assert_eq!(&print(&pool, &again, None), &text);
        for (before, after) in program.functions.values().zip(again.functions.values()) {
            for (before, after) in before.blocks.values().zip(after.blocks.values()) {
                prop_assert_eq!(&before.instructions, &after.instructions);
                prop_assert_eq!(&before.terminator, &after.terminator);
            }
        }
        let mut fresh = TermPool::new();
        let again = parse_text(&mut fresh, &text).expect("it parsed before");
        prop_assert_eq!(print(&fresh, &again, None), text);
    }

    #[test]
    fn terms_over_floats_are_read_as_they_were_written(code in proptest::collection::vec(any::<[u8; 4]>(), 1..40)) {
        let mut pool = TermPool::new();
        let condition = float_term(&mut pool, &code);
        let text = program_with(&pool, condition);
        let again = parse_text(&mut pool, &text);
        prop_assert!(again.is_ok(), "{}\n{text}", again.unwrap_err());
        let again = again.expect("just checked");
        let block = &again.functions[again.entry].blocks[Block(0)];
        prop_assert_eq!(&block.instructions[2].kind, &InstructionKind::Pure(condition), "{}", text);
        prop_assert_eq!(print(&pool, &again, None), text.clone());
        let mut fresh = TermPool::new();
        let again = parse_text(&mut fresh, &text).expect("it parsed before");
        prop_assert_eq!(print(&fresh, &again, None), text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(seed: u64, cut in 0usize..4000, insert in "[ -~]{0,6}") {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape::SMALL);
        let mut text = print(&pool, &program, None);
        let at = cut % text.len();
        text.replace_range(at..(at + insert.len()).min(text.len()), &insert);
        let _ = parse_text(&mut pool, &text);
    }
}

/// A Boolean term over floats built from the 32-bit values `v0` and `v1`.
fn float_term(pool: &mut TermPool, code: &[[u8; 4]]) -> Term {
    let (exponent, significand) = (8, 24);
    let bits: Vec<Term> = (0..2).map(|index| pool.value(index, Sort::BitVec(32))).collect();
    let mut floats: Vec<Term> =
        bits.iter().map(|&bits| pool.fp_from_bits(exponent, significand, bits)).collect();
    let mut result = pool.fp_lt(floats[0], floats[1]);
    for &[op, a, b, c] in code {
        let [x, y, z] = [a, b, c].map(|choice| floats[usize::from(choice) % floats.len()]);
        let mode = pool.rounding_mode(RoundingMode::ALL[usize::from(op / 32) % 5]);
        let float = match op % 18 {
            0 => pool.fp_add(mode, x, y),
            1 => pool.fp_sub(mode, x, y),
            2 => pool.fp_mul(mode, x, y),
            3 => pool.fp_div(mode, x, y),
            4 => pool.fp_fma(mode, x, y, z),
            5 => pool.fp_sqrt(mode, x),
            6 => pool.fp_rem(x, y),
            7 => pool.fp_round_to_integral(mode, x),
            8 => pool.fp_min(x, y),
            9 => pool.fp_neg(x),
            10 => {
                let bits = pool.fp_to_signed(32, mode, x);
                pool.fp_from_unsigned(exponent, significand, mode, bits)
            }
            11 => {
                let bits = pool.fp_to_unsigned(16, mode, x);
                pool.fp_from_signed(exponent, significand, mode, bits)
            }
            12 => {
                let wide = pool.fp_from_float(11, 53, mode, x);
                let sum = pool.fp_add(mode, wide, wide);
                pool.fp_from_float(exponent, significand, mode, sum)
            }
            13 => pool.float_from_bits(
                exponent,
                significand,
                &[a, b, c, op].map(u32::from).iter().fold(0u32, |bits, byte| (bits << 8) | byte).into(),
            ),
            14 => pool.fp_nan(exponent, significand),
            15 => pool.ite(result, x, y),
            test => {
                let test = match test {
                    16 => pool.fp_eq(x, y),
                    _ if a.is_multiple_of(3) => pool.fp_is_subnormal(x),
                    _ if a % 3 == 1 => pool.fp_le(x, y),
                    _ => pool.eq(x, y),
                };
                result = pool.xor(result, test);
                continue;
            }
        };
        floats.push(float);
    }
    let last = pool.fp_le(floats[floats.len() - 1], floats[0]);
    pool.xor(result, last)
}

fn program_with(pool: &TermPool, condition: Term) -> String {
    let mut scratch = TermPool::new();
    let text = "machine 32\nentry f0\nfunction f0 \"main\" () {\n  block b0:\n    v0: i32 = havoc uninitialized\n    \
                v1: i32 = havoc uninitialized\n    v2: bool = true\n    return\n}\n";
    let mut program = parse_text(&mut scratch, text).unwrap_or_else(|error| panic!("{error}"));
    let entry = program.entry;
    program.functions[entry].blocks[Block(0)].instructions[2].kind = InstructionKind::Pure(condition);
    print(pool, &program, None)
}

#[test]
fn the_example_of_the_documentation_parses() {
    let documentation = include_str!("mod.rs");
    let example: String = documentation
        .lines()
        .skip_while(|line| !line.contains("```text"))
        .skip(1)
        .take_while(|line| !line.contains("```"))
        .map(|line| format!("{}\n", line.trim_start_matches("//!")))
        .collect();
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &example).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.functions[program.entry].blocks.len(), 5);
}

#[test]
fn errors_are_located() {
    let text = "machine 32\nentry f0\nfunction f0 \"main\" () {\n  block b0:\n    v0: i32 = (bvadd #x00 #x0000)\n    return\n}\n";
    let error = errors(text);
    assert!(
        error.contains("<ir>:5:15")
            && error.contains(
                "argument 2 of `bvadd` should be of sort (_ BitVec 8) but is of sort (_ BitVec 16)"
            ),
        "{error}"
    );
    let error = errors("machine 32\nentry f0\nfunction f0 \"main\" () {\n  block b0:\n    goto b1\n}\n");
    assert!(error.contains("<ir>:5:5") && error.contains("b1"), "{error}");
    let error = errors("machine 32\nfunction f0 \"main\" ( {\n");
    assert!(error.contains("<ir>:2:"), "{error}");
}

#[test]
fn deep_terms_parse_and_print_without_recursion() {
    let depth = 100_000;
    let body = format!("{}v0{}", "(bvnot (bvadd #x01 ".repeat(depth), "))".repeat(depth));
    let text = format!(
        "machine 32\nentry f0\nfunction f0 \"main\" () {{\n  block b0:\n    v0: i8 = havoc uninitialized\n    v1: i8 = {body}\n    return\n}}\n"
    );
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(print(&pool, &program, None).len() > depth);
}

#[test]
fn shared_terms_are_printed_once() {
    let mut term = "v0".to_owned();
    for index in 0..64 {
        let _ = index;
        term = format!("(let ((?{index} {term})) (bvmul ?{index} (bvnot ?{index})))");
    }
    let text = format!(
        "machine 32\nentry f0\nfunction f0 \"main\" () {{\n  block b0:\n    v0: i8 = havoc uninitialized\n    v1: i8 = {term}\n    return\n}}\n"
    );
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&pool, &program, None);
    assert!(printed.len() < 10_000, "{}", printed.len());
    let again = parse_text(&mut pool, &printed).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&pool, &again, None), printed);
}

#[test]
fn positions_are_comments_and_spans_survive() {
    let mut sources = SourceMap::new();
    sources.add("x.c", &b"int x;\nint y;\n"[..]).expect("small");
    let text = "machine 32\nentry f0\nfunction f0 \"main\" () @8..11 {\n  block b0:\n    return\n}\n";
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program.functions[program.entry].span, Span::new(8, 11));
    let printed = print(&pool, &program, Some(&sources));
    assert!(printed.contains("@8..11 {  ; x.c:2:1"), "{printed}");
    let again = parse_text(&mut pool, &printed).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&pool, &again, None), print(&pool, &program, None));
}

#[test]
fn graphs_name_all_blocks_and_quote_labels() {
    let mut pool = TermPool::new();
    let program = random_program(&mut pool, 7, &Shape::SMALL);
    let dot = dot_program(&pool, &program);
    for (block, _) in program.functions[program.entry].blocks.iter() {
        assert!(dot.contains(&format!("f0_{block} [label=")), "{dot}");
    }
}

#[test]
fn parts_of_allocated_objects_are_read_as_they_were_written() {
    let text = |parts: &str| {
        format!(
            "machine 64\nentry f0\nregion r0 \"a\" cells i32\nregion r1 \"b\" bytes\n\n\
             function f0 \"main\" () {{\n  block b0:\n    \
             v0: ptr = allocate {parts} #x0000000000000020 unknown\n    return\n}}\n"
        )
    };
    for parts in ["r0", "r0 {0..4, 8..12 : 16} r1 {4..8 : 16}", "r0 {0..4} r1 {4..18446744073709551615}"] {
        let mut pool = TermPool::new();
        let program = parse_text(&mut pool, &text(parts)).unwrap_or_else(|error| panic!("{error}"));
        let printed = print(&pool, &program, None);
        assert!(printed.contains(&format!("allocate {parts} #x")), "{printed}");
    }
    let error = errors(&text("r0 {4..4}"));
    assert!(error.contains("at least one byte"), "{error}");
}
