; The derivation is a tree: each number follows from two smaller ones.
; expected: unsat
; open: bmc, tpa
; trials: linearize
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (= n 5) (= r 5)) false)))
(check-sat)
