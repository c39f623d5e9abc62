; Bindings of one let do not see each other.
(set-info :status unsat)
(set-logic QF_LIA)
(declare-const x Int) (declare-const y Int)
(assert (let ((x y) (y x)) (< x y)))
(assert (<= x y))
(check-sat)
