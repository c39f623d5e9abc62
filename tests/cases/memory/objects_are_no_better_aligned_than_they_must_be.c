// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) {
    char buffer[6], letter;
    unsigned long first = (unsigned long)&letter, second = (unsigned long)buffer;
    if ((first & 1) == 1 && (second & 3) != 0) reach_error();
}
