// verdict: TRUE
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 'a' };
_Static_assert(LAST == 103, "enum values");
int main(void) {
    enum color c = __VERIFIER_nondet_bool() ? RED : BLUE;
    switch (c) { case RED: case BLUE: break; default: reach_error(); }
    if (sizeof(int) != 4 || sizeof(enum color) != 4 || 0x7fffffff + 0u != 2147483647u) reach_error();
}
