// verdict: UNKNOWN
void reach_error(void);
struct in { int a, b; } in = {3, 4};
struct out { struct in in; int c; };
int main(void) {
  struct out out = {.in = in, .in.b = 9, .c = 1};
  if (out.in.a != 3)
    reach_error();
}
