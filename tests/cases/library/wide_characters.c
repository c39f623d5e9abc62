// verdict: TRUE
#include <wchar.h>
#include <wctype.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 9) return 0;
  if (wcslen(L"abc") != 3 || towupper(L'a') != L'A' || towlower(L'Z') != L'z') reach_error();
  if (!iswdigit(L'0' + x) || iswdigit(L'a') || towupper(L'1') != L'1') reach_error();
  return 0;
}
