// verdict: FALSE(unreach-call)
#include <stdlib.h>
extern void reach_error(void);
struct record { char tag; int number; long big; };
int main(void) {
    struct record *a = malloc(3 * sizeof *a);
    unsigned i = a[0].tag == 1 ? 1 : 2;
    if (a[i].tag == 7 && a[i].number == -3 && a[i].big == 1L << 40 && i == 2)
        if (a[1].number == 11) reach_error();
    return 0;
}
