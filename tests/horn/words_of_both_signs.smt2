; expected: sat
(set-logic HORN)
(declare-fun loop ((_ BitVec 16) (_ BitVec 16) (_ BitVec 8)) Bool)
; A signed counter, an unsigned sum that wraps around, and a byte of the counter.
(assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)))
  (=> (and (bvsle #x0000 i) (bvslt i #x0064) (bvult s #x0003)) (loop i s ((_ extract 7 0) i)))))
(assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)) (b (_ BitVec 8)) (d (_ BitVec 16)))
  (=> (and (loop i s b) (bvslt #xffff i) (bvult d #x0002))
      (loop (bvsub i #x0001) (bvadd s (bvmul #x0002 d)) (bvsub b #x01)))))
(assert (forall ((i (_ BitVec 16)) (s (_ BitVec 16)) (b (_ BitVec 8)))
  (=> (and (loop i s b) (or (bvsgt i #x0063) (not (= b ((_ extract 7 0) i))))) false)))
(check-sat)
