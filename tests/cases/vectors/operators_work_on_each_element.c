// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));
typedef signed char v4qi __attribute__((vector_size(4)));
typedef unsigned char v4qu __attribute__((vector_size(4)));
struct pair { char tag; v4si v; };

static int sum(v4si v) { return v[0] + v[1] + v[2] + v[3]; }
static struct pair twice(struct pair p) { p.v += p.v; return p; }
v4si global = {1, 2};

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000) return 0;
    v4si a = {x, 2, 3};
    if (a[0] != x || a[3] != 0 || sum(a) != x + 5) reach_error();
    v4si b = a * 2 + 1;
    if (b[0] != 2 * x + 1 || b[3] != 1) reach_error();
    v4si less = a < b;
    if (less[0] != -1 || less[3] != -1 || (a > b)[1] != 0) reach_error();
    if (((v4su)a - 4 < (v4si){-1, -1, -1, -1})[1] != -1) reach_error();
    // Elements are not promoted.
    v4qi c = {127, -128, 1, 2};
    c = (v4qi)((v4qu)c + 1);
    if (c[0] != -128 || c[1] != -127 || (c >> 1)[0] != -64 || ((v4qu)c >> 1)[0] != 64) reach_error();
    // An integer of the same size has the same bits.
    if ((unsigned)(v4qu){1, 2, 3, 4} != 0x04030201) reach_error();
    struct pair p = twice((struct pair){'t', a});
    if (p.v[0] != 2 * x || p.v[2] != 6 || p.tag != 't') reach_error();
    global[1] += x;
    global <<= (v4si){1, 2, 3, 4};
    if (global[0] != 2 || global[1] != (x + 2) * 4 || sizeof(struct pair) != 32) reach_error();
    return 0;
}
