; A recursive function that is called twice: clauses with several atoms, but linear recursion.
; expected: unsat
; open: bmc, tpa
; trials: linearize
(set-logic HORN)
(declare-fun double (Int Int) Bool)
(assert (double 0 0))
(assert (forall ((n Int) (r Int)) (=> (and (>= n 0) (double n r)) (double (+ n 1) (+ r 2)))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (double n a) (double a b) (= b 12)) false)))
(check-sat)
