; A recursive function that is called twice: clauses with several atoms, but linear recursion.
; expected: sat
; open: spacer, tpa
; trials: linearize
(set-logic HORN)
(declare-fun double (Int Int) Bool)
(assert (double 0 0))
(assert (forall ((n Int) (r Int)) (=> (and (>= n 0) (double n r)) (double (+ n 1) (+ r 2)))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (double n a) (double a b) (not (= b (* 4 n)))) false)))
(check-sat)
