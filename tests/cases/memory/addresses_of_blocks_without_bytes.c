// verdict: UNKNOWN
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(0), *b = malloc(0), *c = malloc(1);
    if (c == a || c == b || (a && a == b)) reach_error();
    free(a);
    free(b);
    return *c = 0;
}
