; expected: unsat
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
; The last cell is not filled.
(assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (< i (- n 1))) (fill (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (fill a i n) (>= i (- n 1)) (<= 0 k) (< k n) (> n 3) (= (select a 0) 7) (not (= (select a k) 7)))
      false)))
(check-sat)
