; expected: unsat
; open: spacer, predicate
; A counterexample of 200 steps: y follows x after 100 of them.
(set-logic HORN)
(declare-fun phases (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 100)) (phases x y))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (phases x y) (< x 200) (= z (ite (>= x 100) (+ y 1) y))) (phases (+ x 1) z))))
(assert (forall ((x Int) (y Int)) (=> (and (phases x y) (= x 200) (= y 200)) false)))
(check-sat)
