; expected: sat
; open: spacer, pdr, tpa
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((x Int)) (=> (even x) (odd (+ x 1)))))
(assert (forall ((x Int)) (=> (odd x) (even (+ x 1)))))
(assert (forall ((x Int)) (not (and (even x) (odd x)))))
(check-sat)
