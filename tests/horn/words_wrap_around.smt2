; expected: unsat
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (=> (= x #xf8) (p x))))
(assert (forall ((x (_ BitVec 8))) (=> (p x) (p (bvadd x #x01)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (p x) (bvult x #x02)) false)))
(check-sat)
