// verdict: TRUE
void reach_error(void) {}
void *malloc(unsigned long) __attribute__((weak));
int main(void) {
  if (!malloc) reach_error();
  return 0;
}
