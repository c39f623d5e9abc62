; expected: sat
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 9) 7) (p a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 5)) (p (store a i i) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (not (= (select a 9) 7))) false)))
(check-sat)
