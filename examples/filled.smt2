; A loop writes 0 to the first n cells of an array. Is any of them different after it?
; expected: sat
; open: auto, spacer, pdr, predicate, templates, tpa
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)

(assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (< i n)) (fill (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (fill a i n) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)
