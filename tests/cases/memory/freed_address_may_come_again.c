// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    char *p = malloc(1);
    unsigned long a = (unsigned long)p;
    free(p);
    char *q = malloc(1);
    if ((unsigned long)q == a) reach_error();
}
