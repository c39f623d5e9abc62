// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    long long wide = i;
    if ((int)wide != i) reach_error();
    if ((unsigned char)i != (i & 255)) reach_error();
    if (i < 0 && (unsigned long long)i < 0x7fffffffffffffffULL) reach_error();
    if ((short)0x18000 != -32768) reach_error();
}
