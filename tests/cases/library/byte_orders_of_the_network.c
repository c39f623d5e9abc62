// verdict: TRUE
#include <arpa/inet.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (ntohl(htonl(x)) != x || htons(0x1234) != 0x3412 || ntohs(0x3412) != 0x1234) reach_error();
  return 0;
}
