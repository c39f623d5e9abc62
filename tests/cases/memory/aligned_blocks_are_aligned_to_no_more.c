// verdict: FALSE(unreach-call)
void *aligned_alloc(unsigned long, unsigned long);
void reach_error(void);
int main(void) {
  char *a = aligned_alloc(64, 64);
  if ((unsigned long)a % 128)
    reach_error();
}
