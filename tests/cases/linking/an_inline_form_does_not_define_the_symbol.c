// verdict: TRUE
void reach_error(void);
unsigned long plain(const char *) __asm__("strlen");
extern inline __attribute__((gnu_inline)) unsigned long strlen(const char *s) { return plain(s); }
int main(void) {
  if (strlen("abcd") != 4) reach_error();
  return 0;
}
