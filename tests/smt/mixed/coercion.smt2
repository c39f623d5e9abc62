; Integers stand where reals are expected.
(set-info :status unsat)
(set-logic AUFLIRA)
(declare-fun f (Real) Real)
(declare-const i Int)
(assert (= i 2))
(assert (distinct (f i) (f 2.0)))
(check-sat)
