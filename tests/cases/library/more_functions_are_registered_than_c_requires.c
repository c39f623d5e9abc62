// verdict: TRUE
int atexit(void (*function)(void));
void reach_error(void);
int count;
void first(void) {
  if (count != 40) reach_error();
}
void other(void) { count++; }
int main(void) {
  atexit(first);
  for (int i = 0; i < 40; i++) atexit(other);
  return 0;
}
