//! Times of deep and large terms.
#![allow(missing_docs, clippy::print_stdout, clippy::all)]
use backends::*; use ir::term::*; use std::time::Instant;
fn main(){
 let which=std::env::args().nth(1).unwrap(); let n:usize=std::env::args().nth(2).unwrap().parse().unwrap();
 let mut pool=TermPool::new();
 let mut p=backend_cvc5::factory().new_prover("ALL",&Limits::default()).unwrap();
 let f = match which.as_str(){
  "deep"=>{ let v:Vec<Term>=(0..100).map(|i|pool.symbol(&format!("b{i}"),Sort::Bool)).collect(); let mut t=v[0];
    for i in 0..n { let x=v[(i*7+1)%100]; t=match i%3 {0=>pool.xor(t,x),1=>pool.ite(x,t,v[i%13]),_=>pool.or2(t,x)}; } t }
  "large"=>{ let mut l:Vec<Term>=(0..1000).map(|i|pool.symbol(&format!("b{i}"),Sort::Bool)).collect();
    for r in 0..n { l=(0..l.len()).map(|i|{let (a,b)=(l[i],l[(i+r+1)%1000]); if i%2==0 {pool.and2(a,b)} else {pool.or2(a,b)}}).collect(); } pool.or(&l) }
  "bv"=>{ let x=pool.symbol("x",Sort::BitVec(4)); let c:Vec<Term>=(0..50).map(|i|pool.symbol(&format!("c{i}"),Sort::Bool)).collect(); let mut t=x;
    for i in 0..n { let k=pool.bv(4,i as u64); let fl=pool.bv_xor(t,k); t=pool.ite(c[i%50],fl,x);} pool.neq(t,x)}
  "factor"=>{ let (x,y)=(pool.symbol("x",Sort::BitVec(64)),pool.symbol("y",Sort::BitVec(64))); let m=pool.bv_mul(x,y); let k=pool.bv(64,2_147_483_647 * 2_147_483_629); let one=pool.bv(64,1); let b=pool.bv(64,1<<32); let mut v=vec![pool.eq(m,k)]; for f in [x,y]{v.push(pool.bv_ult(one,f)); v.push(pool.bv_ult(f,b));} p.set_limits(&Limits{time:Some(std::time::Duration::from_millis(n as u64)),..Limits::default()}); pool.and(&v)}
  _=>panic!()};
 println!("size {} depth {}",pool.dag_size(f),pool.depth(f));
 let t=Instant::now(); p.assert(&pool,f).unwrap(); println!("assert {:?}",t.elapsed());
 let t=Instant::now(); match p.check(&pool,&[]) { Outcome::Sat(mut m)=>{ println!("sat {:?}",t.elapsed()); let t=Instant::now(); println!("{:?} {:?}",m.eval(&pool,f),t.elapsed()); let t=Instant::now(); for s in pool.free_symbols(f){ m.value(&pool,s).unwrap(); } println!("values {:?}",t.elapsed()); } Outcome::Unsat(_)=>println!("unsat"), Outcome::Unknown(r)=>println!("unknown {r} {:?}",t.elapsed())}
 let nf=pool.not(f); let t=Instant::now(); println!("{:?} {:?}",p.status(&pool,&[nf]),t.elapsed());
 let t=Instant::now(); drop(p); println!("drop {:?}",t.elapsed());
}
