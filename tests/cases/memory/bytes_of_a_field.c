// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
#include <stdlib.h>
extern void reach_error(void);
struct record { int number; int other; };
int main(void) {
    struct record *a = malloc(sizeof *a);
    unsigned char *byte = (unsigned char *)a;
    a->number = 0x01020304;
    a->other = 1;
    byte[3] = 5;
    if (a->number != 0x05020304 || a->other != 1) reach_error();
    byte[4] = 0;
    if (a->other != 0) reach_error();
    return 0;
}
