// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
union u { unsigned i; unsigned char b[4]; };
int main(void) {
    union u x;
    x.i = 0x11223344;
    if (x.b[0] != 0x44 || x.b[3] != 0x11) reach_error();
    x.b[1] = 0;
    if (x.i != 0x11220044) reach_error();
}
