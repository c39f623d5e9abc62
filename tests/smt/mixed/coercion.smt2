; Integers in positions of reals are converted.
(set-info :status unsat)
(set-logic AUFLIRA)
(declare-fun f (Real) Real)
(declare-const i Int)
(assert (= i 2))
(assert (distinct (f i) (f 2.0)))
(check-sat)
