; Whether there is a circle in a graph of three edges, as rules of Z3.
; expected: unsat
; open: bmc, tpa
(declare-rel edge (Int Int))
(declare-rel path (Int Int))
(declare-rel circle ())
(declare-var x Int)
(declare-var y Int)
(declare-var z Int)
(rule (edge 1 2))
(rule (edge 2 3))
(rule (edge 3 1))
(rule (=> (edge x y) (path x y)))
(rule (=> (and (path x y) (path y z)) (path x z)))
(rule (=> (path x x) circle))
(query circle)
