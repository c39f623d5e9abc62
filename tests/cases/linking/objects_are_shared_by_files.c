// verdict: FALSE(unreach-call)
// with: objects_are_shared_by_files.part.c
extern void reach_error(void);
extern int table[];
extern int limit;
int common;
void fill(int value);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i >= limit) return 0;
  fill(7);
  table[i] = 1;
  if (table[2] == 1 && common == 7) reach_error();
  return 0;
}
