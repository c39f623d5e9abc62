//! Speed of the term pool: interning, instantiation, evaluation, printing. Rates are in terms per
//! second.

#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use terms::{Evaluator, Sort, Substitution, Term, TermPool, Value, print};

const NODES: usize = 1_000_000;

fn leaves(pool: &mut TermPool) -> Vec<Term> {
    (0..1024).map(|i| pool.value(i, Sort::BitVec(32))).collect()
}

/// About `count` distinct bit-vector terms that do not simplify.
fn arithmetic(pool: &mut TermPool, leaves: &[Term], count: usize) -> Term {
    let mut layer = leaves.to_vec();
    let mut next = Vec::with_capacity(layer.len());
    let mut made = 0;
    while made < count {
        let n = layer.len();
        for i in 0..n {
            let (a, b) = (layer[i], layer[(i * 7 + 3) % n]);
            next.push(match i % 4 {
                0 => pool.bv_add(a, b),
                1 => pool.bv_mul(a, b),
                2 => pool.bv_and(a, b),
                _ => pool.bv_udiv(a, b),
            });
        }
        made += n;
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    let atoms: Vec<Term> = layer.windows(2).map(|pair| pool.bv_ult(pair[0], pair[1])).collect();
    pool.and(&atoms)
}

/// Guards and φs as made by the unroller: about `5 · blocks` terms.
fn guarded(pool: &mut TermPool, leaves: &[Term], blocks: usize) -> Term {
    let one = pool.bv(32, 1);
    let mut guard = pool.tru();
    let mut x = leaves[0];
    for i in 0..blocks {
        let condition = pool.bv_slt(x, leaves[i % leaves.len()]);
        let then = pool.and2(guard, condition);
        let not_condition = pool.not(condition);
        let otherwise = pool.and2(guard, not_condition);
        let y = pool.bv_add(x, one);
        let z = pool.bv_xor(x, leaves[(i + 1) % leaves.len()]);
        x = pool.ite(condition, y, z);
        guard = if i % 8 == 0 { then } else { pool.or2(then, otherwise) };
    }
    pool.and2(guard, guard)
}

fn intern(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("intern");
    group.throughput(Throughput::Elements(NODES as u64)).sample_size(10);
    group.bench_function("new", |bencher| {
        bencher.iter_batched(
            || {
                let mut pool = TermPool::new();
                let leaves = leaves(&mut pool);
                (pool, leaves)
            },
            |(mut pool, leaves)| {
                arithmetic(&mut pool, &leaves, NODES);
                pool
            },
            BatchSize::PerIteration,
        );
    });
    let mut pool = TermPool::new();
    let leaves = leaves(&mut pool);
    arithmetic(&mut pool, &leaves, NODES);
    group.bench_function("hit", |bencher| bencher.iter(|| arithmetic(&mut pool, &leaves, NODES)));
    group.finish();
}

fn guards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("guards");
    group.throughput(Throughput::Elements(700_000)).sample_size(10);
    group.bench_function("constructor calls", |bencher| {
        bencher.iter(|| {
            let mut pool = TermPool::new();
            let leaves = leaves(&mut pool);
            guarded(&mut pool, &leaves, 100_000);
            pool
        });
    });
    group.finish();
}

fn instantiate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("instantiate");
    group.throughput(Throughput::Elements(NODES as u64)).sample_size(10);
    // Instantiates a template of 10,000 terms 100 times with new leaves.
    let mut template = TermPool::new();
    let values = leaves(&mut template);
    let root = arithmetic(&mut template, &values, NODES / 100);
    group.bench_function("100 frames", |bencher| {
        bencher.iter_batched(
            || {
                let mut pool = TermPool::new();
                let values = leaves(&mut pool);
                assert_eq!(arithmetic(&mut pool, &values, NODES / 100), root);
                (pool, values, Substitution::new())
            },
            |(mut pool, values, mut substitution)| {
                for frame in 1..=100u32 {
                    substitution.clear();
                    for (i, &value) in values.iter().enumerate() {
                        let image = pool.value(frame * 1024 + i as u32, Sort::BitVec(32));
                        substitution.insert(value, image);
                    }
                    black_box(substitution.apply(&mut pool, root));
                }
                pool
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn read(criterion: &mut Criterion) {
    let mut pool = TermPool::new();
    let values = leaves(&mut pool);
    let root = arithmetic(&mut pool, &values, NODES);
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(NODES as u64)).sample_size(10);
    let mut evaluator = Evaluator::new();
    let environment = |leaf: Term| Some(Value::bv(32, u64::from(leaf.0)));
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| {
            evaluator.clear();
            evaluator.eval(&pool, root, &environment)
        });
    });
    group.bench_function("print", |bencher| bencher.iter(|| print::script(&pool, None, &[root]).len()));
    group.bench_function("size", |bencher| bencher.iter(|| pool.dag_size(root)));
    group.finish();
}

criterion_group!(benches, intern, guards, instantiate, read);
criterion_main!(benches);
