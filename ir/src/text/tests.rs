use super::*;
use crate::ssa::check::check;
use crate::term::TermPool;
use crate::testing::{Graph, Shape, random_program};
use grammars::source::{SourceMap, Span};
use proptest::prelude::*;

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
        // The same pool gives the same terms; a fresh one shows that the text does not depend on the pool.
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
    fn no_text_makes_the_parser_panic(seed: u64, cut in 0usize..4000, insert in "[ -~]{0,6}") {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed, &Shape::SMALL);
        let mut text = print(&pool, &program, None);
        let at = cut % text.len();
        text.replace_range(at..(at + insert.len()).min(text.len()), &insert);
        let _ = parse_text(&mut pool, &text);
    }
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
