// verdict: UNKNOWN
extern void reach_error(void);
void keep(void *);
void later(void);
static struct S { char a; int b; } s;
int main(void) {
  keep(&s);
  ((char *)&s)[2] = 0;
  later();
  if (((char *)&s)[2] == 7) reach_error();
}
