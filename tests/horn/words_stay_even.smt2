; expected: sat
(set-logic HORN)
(declare-fun p ((_ BitVec 32)) Bool)
(assert (p #x00000000))
(assert (forall ((x (_ BitVec 32)) (i (_ BitVec 32))) (=> (p x) (p (bvadd x (bvshl i #x00000001))))))
(assert (forall ((x (_ BitVec 32))) (=> (and (p x) (= ((_ extract 0 0) x) #b1)) false)))
(check-sat)
