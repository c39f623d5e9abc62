; The inner x shadows the outer, whose value is y.
(set-info :status unsat)
(set-logic LIA)
(define-fun below ((y Int)) Bool (exists ((x Int)) (< x y)))
(declare-const c Int)
(assert (exists ((x Int)) (let ((y x)) (and (> x c) (or (not (below y)) (forall ((x Int)) (= x y)))))))
(check-sat)
