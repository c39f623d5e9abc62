// verdict: FALSE(unreach-call)
extern void reach_error(void);
int atexit(void (*)(void));
void exit(int);
int count;
void first(void) { if (count == 1) reach_error(); }
void second(void) { count++; }
int main(void) {
  atexit(first);
  atexit(second);
  exit(0);
}
