; There are only two truth values.
(set-info :status unsat)
(set-logic QF_UF)
(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
(assert (distinct p q r))
(check-sat)
