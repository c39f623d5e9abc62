// verdict: TRUE
// options: --function third --pointer-depth 1 --nonnull
// only: QF_ABVFP
// decided-by: bmc k-induction
void reach_error(void);
typedef struct { struct pair { int *x; const char *const y; } parts[2]; void (*call)(void); } whole;
int third(whole *w, struct pair p) {
  if (!w || !w->parts[0].x || !w->parts[1].y || w->call) reach_error();
  if (!p.x || !p.y) reach_error();
  return *w->parts[0].x;
}
