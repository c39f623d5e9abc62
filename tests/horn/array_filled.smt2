; expected: sat
; open: auto, spacer, pdr, predicate, templates, tpa
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
; After the loop, each of the first n cells is 7.
(assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (< i n)) (fill (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (fill a i n) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 7))) false)))
(check-sat)
