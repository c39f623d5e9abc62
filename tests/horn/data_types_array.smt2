; expected: unsat
; An array of records is an array for each field.
(set-logic HORN)
(declare-datatype Cell ((cell (value Int) (full Bool))))
(declare-fun p ((Array Int Cell) Int) Bool)
(assert (forall ((a (Array Int Cell))) (=> (= a ((as const (Array Int Cell)) (cell 0 false))) (p a 0))))
(assert (forall ((a (Array Int Cell)) (i Int)) (=> (p a i) (p (store a i (cell (* 2 i) true)) (+ i 1)))))
(assert (forall ((a (Array Int Cell)) (i Int))
  (=> (and (p a i) (full (select a 2)) (= (value (select a 1)) 2)) false)))
(check-sat)
