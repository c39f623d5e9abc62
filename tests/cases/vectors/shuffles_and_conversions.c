// verdict: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
typedef int v4si __attribute__((vector_size(16)));
typedef short v4hi __attribute__((vector_size(8)));

int main(void) {
    int x = __VERIFIER_nondet_uint() % 100;
    v4si a = {x, 1, 2, 3}, b = {10, 11, 12, 13};
    v4si s = __builtin_shuffle(a, b, (v4si){7, 8, 2, -4});
    if (s[0] != 13 || s[1] != x || s[2] != 2 || s[3] != 10) reach_error();
    s = __builtin_shuffle(a, (v4si){x & 1, 5, 4, 0});
    if (s[0] != (x & 1 ? 1 : x) || s[1] != 1 || s[2] != x) reach_error();
    s = __builtin_shufflevector(a, b, 4, 0, 7, 3);
    if (s[0] != 10 || s[1] != x || s[2] != 13 || s[3] != 3) reach_error();
    v4hi narrow = __builtin_convertvector(a + 65536, v4hi);
    if (narrow[0] != x || narrow[3] != 3) reach_error();
    v4si wide = __builtin_convertvector(-narrow, v4si);
    if (wide[0] != -x || wide[2] != -2) reach_error();
    return 0;
}
