// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int i = 0, turns = 0;
    goto middle;
    while (i < 5) {
        turns++;
middle:
        i++;
    }
    if (i != 5 || turns != 4) reach_error();
}
