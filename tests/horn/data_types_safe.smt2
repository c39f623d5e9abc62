; expected: sat
; A traffic light of three colors and the number of its changes. The color differs from that before.
; The range of the enumeration matters: a fourth color would violate the query.
(set-logic HORN)
(declare-datatypes ((Color 0) (Light 0))
  (((red) (yellow) (green))
   ((light (color Color) (before Color) (changes Int)))))
(declare-fun on (Light) Bool)
(define-fun next ((c Color) (b Color)) Color
  (match c ((red yellow) (green yellow) (yellow (ite (= b red) green red)))))
(assert (forall ((l Light)) (=> (and ((_ is red) (color l)) (= (before l) yellow) (= (changes l) 0)) (on l))))
(assert (forall ((l Light))
  (=> (on l) (on (light (next (color l) (before l)) (color l) (+ (changes l) 1))))))
(assert (forall ((l Light))
  (=> (and (on l) (or (= (color l) (before l)) (not (or (= (color l) red) (= (color l) yellow) (= (color l) green)))))
    false)))
(check-sat)
