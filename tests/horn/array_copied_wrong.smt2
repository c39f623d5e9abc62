; expected: unsat
(set-logic HORN)
(declare-fun copy ((Array (_ BitVec 8) Bool) (Array (_ BitVec 8) Bool) (_ BitVec 8)) Bool)
; Every other cell is copied.
(assert (forall ((a (Array (_ BitVec 8) Bool)) (b (Array (_ BitVec 8) Bool)))
  (=> (= (select b #x01) (select a #x00)) (copy a b #x00))))
(assert (forall ((a (Array (_ BitVec 8) Bool)) (b (Array (_ BitVec 8) Bool)) (i (_ BitVec 8)))
  (=> (copy a b i) (copy a (store b i (select a i)) (bvadd i #x02)))))
(assert (forall ((a (Array (_ BitVec 8) Bool)) (b (Array (_ BitVec 8) Bool)) (i (_ BitVec 8)))
  (=> (and (copy a b i) (= i #x04) (not (= (select a #x03) (select b #x03)))) false)))
(check-sat)
