; expected: unsat
; The nonempty enumeration has exactly three values: every other value than two is the third one.
(set-logic HORN)
(declare-datatype Color ((red) (yellow) (green)))
(declare-datatype Pair ((pair (first Color) (second Int))))
(declare-fun seen (Pair Color) Bool)
(assert (forall ((c Color) (p Pair)) (=> (and (distinct c red yellow) (= p (pair c 3))) (seen p c))))
(assert (forall ((p Pair) (c Color)) (=> (and (seen p c) (< (second p) 9)) (seen (pair (first p) (+ (second p) 3)) c))))
(assert (forall ((p Pair)) (=> (and (seen p green) (is-pair p) (= (second p) 9)) false)))
(check-sat)
