// verdict: UNKNOWN
typedef long jmp_buf[8];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
jmp_buf buffer;
int main(void) { if (!setjmp(buffer)) longjmp(buffer, 1); }
