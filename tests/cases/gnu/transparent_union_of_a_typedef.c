// verdict: TRUE
void reach_error(void);
typedef union { int *i; char *c; } argument __attribute__((transparent_union));
int first(argument a) { return *a.i; }
int main(void) {
  int x = 3;
  if (first(&x) != 3)
    reach_error();
}
