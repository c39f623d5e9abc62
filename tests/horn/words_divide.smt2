; expected: unsat
(set-logic HORN)
(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
; The quotient of -128 by -1 is -128, and that of 255 by 1 is 255.
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (and (= y (bvsdiv x #xff)) (bvslt x #x00) (bvslt y #x00)) (p x y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (p x y) (bvult #x01 z) (= (bvudiv y z) #x10) (= (bvurem y z) #x00)) (p z y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (p x y) (= (bvmul x y) #x00) (= x #x08)) false)))
(check-sat)
