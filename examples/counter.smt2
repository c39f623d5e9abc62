; A counter that reaches a million: the shortest derivation has a million and two steps.
(set-logic HORN)
(declare-fun count (Int Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (count n 0))))
(assert (forall ((n Int) (m Int))
  (=> (and (count n m) (< n 1000000)) (count (+ n 1) (ite (< n 10) m (+ m 2))))))
(assert (forall ((n Int) (m Int)) (=> (and (count n m) (= n 1000000)) false)))
(check-sat)
