; expected: sat
; open: pdr, predicate
(set-logic HORN)
(declare-fun tank (Real Real) Bool)
(assert (forall ((level Real) (rate Real)) (=> (and (= level 1.0) (<= 0.0 rate 0.5)) (tank level rate))))
(assert (forall ((level Real) (rate Real)) (=> (and (tank level rate) (< level 10.0)) (tank (+ level rate) rate))))
(assert (forall ((level Real) (rate Real)) (=> (and (tank level rate) (> level 10.5)) false)))
(check-sat)
