; expected: sat
; No value is outside of the enumeration, so the first clause derives nothing.
(set-logic HORN)
(declare-datatypes () ((Color red yellow green)))
(declare-fun seen (Color) Bool)
(assert (forall ((c Color)) (=> (distinct c red yellow green) (seen c))))
(assert (forall ((c Color)) (=> (seen c) false)))
(check-sat)
