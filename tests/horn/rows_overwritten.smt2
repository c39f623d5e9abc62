; expected: unsat
(set-logic HORN)
(declare-fun rows ((Array Int (Array Int Int)) Int) Bool)
(assert (forall ((m (Array Int (Array Int Int)))) (=> (= (select (select m 0) 0) 7) (rows m 0))))
(assert (forall ((m (Array Int (Array Int Int))) (i Int))
  (=> (and (rows m i) (< i 9)) (rows (store m i (store (select m i) 0 i)) (+ i 1)))))
(assert (forall ((m (Array Int (Array Int Int))) (i Int))
  (=> (and (rows m i) (not (= (select (select m 0) 0) 7))) false)))
(check-sat)
