// verdict: FALSE(unreach-call)
// options: --function get
// only: QF_ABVFP
void reach_error(void);
//@ requires p == \null || \valid(&p[0 .. 3]);
//@ requires 0 <= n < 4 ==> p != \null;
int get(int *p, int n) {
  if (!p && 0 <= n && n < 4) return 0;
  if (!p) reach_error();
  return p[3];
}
