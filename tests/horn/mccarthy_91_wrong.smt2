; expected: unsat
; open: bmc, tpa
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (a Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) a) (mc a r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (= n 99) (= r 91)) false)))
(check-sat)
