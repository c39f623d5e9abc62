// verdict: TRUE
// options: --function entry
void reach_error(void);
extern _Bool ext(void); extern _Bool g; extern struct { int a; _Bool b; } gs;
_Bool arr[3];
extern void touch(_Bool *p);
int f(_Bool b) { return b != 0 && b != 1; }
struct P { _Bool x; int y; };
int entry(_Bool b, struct P p, _Bool *q) { 
  if (f(b)) reach_error();
  if (f(p.x)) reach_error();
  if (q && f(*q)) reach_error();
  if (f(ext())) reach_error();
  if (f(g)) reach_error();
  if (f(gs.b)) reach_error();
  _Bool l; if (f(l)) reach_error();
  _Bool m[3]; if (f(m[1])) reach_error();
  struct P s; if (f(s.x)) reach_error();
  touch(&m[0]); if (f(m[0])) reach_error();
  touch(&l); if (f(l)) reach_error();
  struct P t = s; if (f(t.x)) reach_error();
  _Bool *h = __builtin_malloc(3); if (h) { if (f(h[2])) reach_error(); }
  _Bool o; asm ("" : "=r"(o)); if (f(o)) reach_error();
  if ((int)ext() > 1) reach_error();
  return 0; }
