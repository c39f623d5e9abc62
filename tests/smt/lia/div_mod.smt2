; Euclidean division of negative numbers.
(set-info :status unsat)
(set-logic QF_LIA)
(declare-const x Int)
(assert (= x (- 7)))
(assert (not (and (= (div x 2) (- 4)) (= (mod x 2) 1) (= (div x (- 2)) 4) (= (mod x (- 2)) 1) (= (abs x) 7))))
(check-sat)
