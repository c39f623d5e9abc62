// verdict: FALSE(unreach-call)
#include <arpa/inet.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (htonl(x) == 0x01020304) reach_error();
  return 0;
}
