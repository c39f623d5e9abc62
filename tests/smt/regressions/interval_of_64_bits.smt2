; Undefined overflow in Yices' interval abstraction of 64-bit vectors made this unsat.
(set-logic QF_BV)
(set-info :status sat)
(declare-const h (_ BitVec 64))
(assert (= #x0000000000000030 (bvand #xfffffffffffffff0 (bvadd #x0000000000000010 (bvand h #xfffffffffffffff0)))))
(check-sat)
