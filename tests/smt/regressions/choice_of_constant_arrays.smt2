; Found by fuzzing (seed 14000205): Z3 returns a model in which it evaluates the formula to false.
(set-logic ALL)
(declare-fun a1 () (Array (_ BitVec 2) (_ BitVec 2)))
(assert (let ((?1 ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00)) (?2 (select a1 #b00))) (= ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b11) (ite (= (store a1 #b00 #b00) ?1) (store a1 ?2 ?2) ?1))))
(set-info :status unsat)
(check-sat)
