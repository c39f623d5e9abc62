//! Golden tests of the output of each stage for the programs in `inputs/`.

use encode::{Encoder, Encoding, FloatEncoding, Overflow, Theories};
use frontend::c::types::DataModel;
use frontend::c::{hir, lower, sema};
use frontend::spec::Specification;
use grammars::source::{FileId, SourceMap};
use horn::{Notes, Translation};
use insta::{assert_snapshot, glob};
use passes::evidence::{Certificate, Invariants, present};
use passes::transform::{MemoryModel, Pipeline, ViewLimits, prepare_for_bmc, prepare_for_views};
use program::ssa::Program;
use std::path::Path;
use terms::TermPool;
use terms::choice::Choice;
use terms::print::script;
use views::blocks::{CutPointKind, Origin, block_formulas};
use views::clauses::Naming;
use views::print::{Places, Titles};
use views::unroll::{Bounds, Limits, Unroller};
use views::{BlockOperator, Config};

const INPUTS: &str = "inputs/*.c";

fn source(path: &Path) -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let name = path.file_name().expect("an input is a file").to_string_lossy().into_owned();
    let file =
        sources.add(&name, std::fs::read(path).expect("an input is readable")).expect("an input is small");
    (sources, file)
}

fn typed(path: &Path) -> (SourceMap, hir::Program) {
    let (sources, file) = source(path);
    let parsed = grammars::c::parse(&sources, file);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Ilp32 });
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    (sources, checked.program)
}

fn lowered(pool: &mut TermPool, path: &Path) -> (SourceMap, Program) {
    let (sources, typed) = typed(path);
    let specification = Specification::default_for_tool();
    let (program, diagnostics) = lower::lower(pool, &typed, &specification, &lower::Options::new("main"));
    assert!(diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{diagnostics:?}");
    (sources, program)
}

#[test]
fn tokens() {
    glob!("..", INPUTS, |path| {
        let (sources, file) = source(path);
        assert_snapshot!(grammars::c::dump::tokens(&sources, file));
    });
}

#[test]
fn syntax_tree() {
    glob!("..", INPUTS, |path| {
        let (sources, file) = source(path);
        assert_snapshot!(grammars::c::dump::unit(&grammars::c::parse(&sources, file).unit));
    });
}

#[test]
fn typed_tree() {
    glob!("..", INPUTS, |path| {
        let (_, program) = typed(path);
        assert_snapshot!(frontend::c::dump::dump(&program));
    });
}

#[test]
fn lowered_ir() {
    glob!("..", INPUTS, |path| {
        let mut pool = TermPool::new();
        let (sources, program) = lowered(&mut pool, path);
        assert_snapshot!(program::text::print(&pool, &program, Some(&sources)));
    });
}

#[test]
fn prepared_ir() {
    glob!("..", INPUTS, |path| {
        let mut pool = TermPool::new();
        let (sources, mut program) = lowered(&mut pool, path);
        prepare_for_bmc(&mut pool, &mut program, &Pipeline::none());
        assert_snapshot!(program::text::print(&pool, &program, Some(&sources)));
    });
}

#[test]
fn memory_models() {
    for named in MemoryModel::TABLE {
        let mut pool = TermPool::new();
        let (_, mut program) = lowered(&mut pool, Path::new("inputs/memory.c"));
        prepare_for_bmc(&mut pool, &mut program, &Pipeline::none().with_memory(named.value));
        let text = program::text::print(&pool, &program, None);
        let (declarations, _) = text.split_once("\nfunction").expect("the program has a function");
        assert_snapshot!(format!("memory_model_{}", named.name), declarations);
    }
}

#[test]
fn inlined_ir() {
    glob!("..", INPUTS, |path| {
        let mut pool = TermPool::new();
        let (sources, mut program) = lowered(&mut pool, path);
        let text = match prepare_for_views(&mut pool, &mut program, ViewLimits::default(), &Pipeline::none())
        {
            Ok(_) => program::text::print(&pool, &program, Some(&sources)),
            Err(refusal) => refusal.to_string(),
        };
        assert_snapshot!(text);
    });
}

#[test]
fn unrolling() {
    glob!("..", INPUTS, |path| {
        for (encoding, name) in [(Encoding::QfAbvfp, "bits"), (Encoding::QfUflira, "linear")] {
            let mut pool = TermPool::new();
            let (_, mut program) = lowered(&mut pool, path);
            prepare_for_bmc(&mut pool, &mut program, &Pipeline::none());
            let mut unroller =
                Unroller::new(&mut pool, &program, Config::STANDARD).expect("the program is small");
            let mut limits = Limits { instances: 10_000, is_cancelled: &mut || false };
            let step = unroller.step(&mut pool, &Bounds::exactly(2), &mut limits);
            let guards: Vec<_> = step.errors.iter().map(|error| error.guard).collect();
            let formula = pool.or(&guards);
            let mut encoder = Encoder::new(encoding, Overflow::Wrap);
            let formula = encoder.formula(&mut pool, formula).expect("the encoding supports the program");
            let mut assertions = encoder.take_constraints();
            assertions.push(formula);
            assert_snapshot!(
                format!("unrolling_{name}"),
                script(&pool, Some(encoding.logic(FloatEncoding::in_terms(&pool, &assertions))), &assertions)
            );
        }
    });
}

#[test]
fn horn_clauses() {
    glob!("..", INPUTS, |path| {
        for (encoding, name) in [(Encoding::QfAbvfp, "bits"), (Encoding::QfAuflira, "linear")] {
            let mut pool = TermPool::new();
            let (sources, mut program) = lowered(&mut pool, path);
            let places = Places::new(&sources, &program, &[]);
            if prepare_for_views(&mut pool, &mut program, ViewLimits::default(), &Pipeline::none()).is_err() {
                return;
            }
            let blocks = block_formulas(&mut pool, &program, BlockOperator::L, Config::TRUSTING)
                .expect("the program is inlined");
            let titles = Titles::new(&pool, &program, &blocks, &places);
            let naming = Naming::Source(&titles, &places);
            let clauses = views::clauses::of_blocks(&mut pool, &program, &blocks, naming);
            let mut translation = Translation::new(Theories::of(encoding));
            let system =
                translation.system(&mut pool, &clauses.system).expect("the encoding supports the program");
            let system = system.with_one_query(&mut pool);
            let notes = Notes { header: String::new(), inner: titles.inputs };
            assert_snapshot!(format!("horn_{name}"), system.to_text(&pool, &notes));
        }
    });
}

/// Returns a certificate for `inputs/loop.c` with the loop invariant `y = 2 * x`.
fn certificate(pool: &mut TermPool, program: &Program) -> Certificate {
    let mut prepared = program.clone();
    prepare_for_views(pool, &mut prepared, ViewLimits::default(), &Pipeline::none()).expect("no recursion");
    let blocks =
        block_formulas(pool, &prepared, BlockOperator::L, Config::STANDARD).expect("the program is inlined");
    let (mut symbols, mut at) = (std::collections::BTreeMap::new(), std::collections::BTreeMap::new());
    for cut in blocks.cut_points.values() {
        let CutPointKind::Block(block) = cut.kind else { continue };
        let mut variable = |name: &str| {
            let live = cut.state.iter().map(|&variable| &blocks.variables[variable]);
            let found = live.into_iter().find(|variable| match variable.origin {
                Origin::Value(value) => {
                    prepared.functions[prepared.entry].values[value].name.as_deref() == Some(name)
                }
                Origin::Region(_) | Origin::HeapPointer(_) => false,
            });
            let found = found.expect("the variable is live");
            symbols.insert(found.before, found.origin);
            found.before
        };
        let (x, y) = (variable("x"), variable("y"));
        let two = pool.bv(32, 2);
        let product = pool.bv_mul(two, x);
        at.insert(block, pool.eq(y, product));
    }
    Certificate::Inductive(Box::new(Invariants {
        theories: Theories::of(Encoding::QfAbvfp),
        limits: ViewLimits::default(),
        pipeline: Pipeline::none(),
        symbols,
        at,
        index: None,
    }))
}

#[test]
fn certificates() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs/loop.c");
    let mut pool = TermPool::new();
    let (sources, program) = lowered(&mut pool, &path);
    let certificate = certificate(&mut pool, &program);
    let shown = present(&mut pool, &program, &certificate, &sources);
    assert_snapshot!("certificate_text", shown.describe(None));
    let Certificate::Inductive(invariants) = certificate else {
        unreachable!("the certificate is inductive")
    };
    let stronger = Certificate::KInductive { k: 1, invariants };
    let shown = present(&mut pool, &program, &stronger, &sources);
    assert_snapshot!("certificate_text_k", shown.describe(None));
    let limits = backends::Limits::default();
    let checks = passes::validate::checks(&mut pool, &program, &stronger, &limits)
        .expect("the checks are within the limits");
    let text = passes::validate::script(&pool, &checks);
    assert_snapshot!("certificate_script", text);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("certificate.smt2");
    std::fs::write(&file, text).expect("a temporary file can be written");
    for solver in ["yices", "z3", "cvc5"] {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams =
            hornwork::Streams { out: &mut out, err: &mut err, is_terminal: false, out_width: None };
        let arguments = ["hornwork", "smt", "--solver", solver, &file.to_string_lossy()].map(Into::into);
        assert_eq!(hornwork::run(arguments, &mut streams), 0, "{solver}");
        assert_eq!(String::from_utf8_lossy(&out), "unsat\n".repeat(checks.list.len()), "{solver}");
    }
}
