; expected: sat
; open: auto, spacer, pdr, pdr::integers, predicate, templates, tpa
(set-logic HORN)
(declare-fun copy ((Array (_ BitVec 8) (_ BitVec 8)) (Array (_ BitVec 8) (_ BitVec 8)) (_ BitVec 8)) Bool)
; The copied cells are equal.
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8))) (b (Array (_ BitVec 8) (_ BitVec 8))))
  (copy a b #x00)))
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8))) (b (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8)))
  (=> (and (copy a b i) (bvult i #x64)) (copy a (store b i (select a i)) (bvadd i #x01)))))
(assert (forall ((a (Array (_ BitVec 8) (_ BitVec 8))) (b (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8))
                 (k (_ BitVec 8)))
  (=> (and (copy a b i) (bvult k i) (not (= (select a k) (select b k)))) false)))
(check-sat)
