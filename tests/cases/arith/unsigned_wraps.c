// verdict: TRUE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    if (a == 0 && a - 1 != 4294967295u) reach_error();
    unsigned char c = 255;
    c++;
    if (c != 0) reach_error();
    unsigned short s = 65535;
    int wide = s + 1;
    if (wide != 65536) reach_error();
}
