// verdict: FALSE(unreach-call)
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
    int i = 0;
    if (__VERIFIER_nondet_bool()) goto b;
a:
    i++;
    if (i > 6) goto end;
b:
    i += 2;
    if (i < 9) goto a;
end:
    if (i == 9) reach_error();
}
