; Found by fuzzing (seed 26).
(set-logic ALL)
(declare-fun a1 () (Array Bool (_ BitVec 2)))
(push 1)
(assert (not (= a1 (store a1 true #b00))))
(set-info :status sat)
(check-sat)
(pop 1)
