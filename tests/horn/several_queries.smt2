; expected: sat
; open: tpa
(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(declare-fun start () Bool)
(define-fun small ((x Int)) Bool (and (<= 0 x) (<= x 3)))
(assert start)
(assert (forall ((x Int)) (=> (and start (small x)) (p x false))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (not b)) (p (+ x 4) true))))
(assert (forall ((x Int)) (=> (and (p x true) (< x 4)) false)))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (> x 7)) false)))
(check-sat)
