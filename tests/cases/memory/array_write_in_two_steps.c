// verdict: FALSE(unreach-call)
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void) {
    char text[6];
    for (int i = 0; i < 6; i++) text[i] = __VERIFIER_nondet_char();
    if (text[0] == 'h' && text[1] == 'o' && text[2] == 'r' && text[3] == 'n' && text[4] == 0) reach_error();
}
