// <errno.h>. A function that fails because of its environment sets an arbitrary error number.

static int error_number;
int __input_errno(void);

enum {
  EINVAL = 22,
  ERANGE = 34,
};

int *__errno_location(void) {
  return &error_number;
}

int *__error(void) {
  return &error_number;
}

static void fail(void) {
  int number = __input_errno();
  __VERIFIER_assume(number > 0 && number < 4096);
  error_number = number;
}
