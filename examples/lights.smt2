; A traffic light that counts its changes. Is it ever green after two changes?
(set-logic HORN)
(declare-datatypes ((Color 0) (Light 0))
  (((red) (yellow) (green))
   ((light (color Color) (before Color) (changes Int)))))
(declare-fun on (Light) Bool)
(define-fun next ((c Color) (b Color)) Color
  (match c ((red yellow) (green yellow) (yellow (ite (= b red) green red)))))
(assert (on (light red yellow 0)))
(assert (forall ((l Light))
  (=> (on l) (on (light (next (color l) (before l)) (color l) (+ (changes l) 1))))))
(assert (forall ((l Light)) (=> (on l) (not (and (= (color l) green) (= (changes l) 2))))))
(check-sat)
; expected: unsat
