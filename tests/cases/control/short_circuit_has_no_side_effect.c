// verdict: TRUE
extern void reach_error(void);
int calls;
int touch(int result) { calls++; return result; }
int main(void) {
    if (touch(0) && touch(1)) reach_error();
    if (calls != 1) reach_error();
    if (!(touch(1) || touch(1))) reach_error();
    if (calls != 2) reach_error();
    int x = touch(0) ? touch(1) : 7;
    if (x != 7 || calls != 3) reach_error();
}
