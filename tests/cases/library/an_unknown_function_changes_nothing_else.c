// verdict: TRUE
extern void reach_error(void);
struct point { int x, y; };
void fill(struct point *p, char *bytes, const int *read);
int main(void) {
  struct point p = {1, 2};
  char bytes[100];
  int kept = 3, shown = 4;
  fill(&p, bytes, &shown);
  if (kept != 3 || shown != 4) reach_error();
}
