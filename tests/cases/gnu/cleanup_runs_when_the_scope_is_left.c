// verdict: FALSE(unreach-call)
void reach_error(void) {}
int count;
void done(int *p) { count += *p; }
int f(int n) {
  int a __attribute__((cleanup(done))) = 1;
  if (n) return count;
  return -1;
}
int main(void) {
  int before = f(1);
  if (before == 0 && count == 1) reach_error();
  return 0;
}
