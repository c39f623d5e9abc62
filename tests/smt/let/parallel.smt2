; Bindings of one let are not in each other's scope.
(set-info :status unsat)
(set-logic QF_LIA)
(declare-const x Int) (declare-const y Int)
(assert (let ((x y) (y x)) (< x y)))
(assert (<= x y))
(check-sat)
