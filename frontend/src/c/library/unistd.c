// The common functions of <unistd.h> and <fcntl.h>: data read is an input, data written is
// discarded. Processes are unsupported.

unsigned char __input_read(void);
ssize_t __input_read_count(void);
ssize_t __input_write(void);
int __input_open(void);
unsigned __input_sleep(void);
int __input_getpid(void);

ssize_t read(int file, void *to, size_t size) {
  unsigned char *t = to;
  ssize_t done = __input_read_count();
  __VERIFIER_assume(done >= -1 && (done < 0 || done <= size));
  if (done < 0) fail();
  for (size_t i = 0; i < size && (ssize_t)i < done; i++) t[i] = __input_read();
  return done;
}

ssize_t write(int file, const void *from, size_t size) {
  read_block(from, size);
  ssize_t done = __input_write();
  __VERIFIER_assume(done >= -1 && (done < 0 || done <= size));
  if (done < 0) fail();
  return done;
}

int open(const char *name, int flags, ...) {
  read_text(name);
  int file = __input_open();
  __VERIFIER_assume(file >= -1);
  if (file < 0) fail();
  return file;
}

int close(int file) { return closed(); }
int unlink(const char *name) { return remove(name); }

unsigned sleep(unsigned seconds) {
  unsigned left = __input_sleep();
  __VERIFIER_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) { return closed(); }

static int positive(void) {
  int number = __input_getpid();
  __VERIFIER_assume(number > 0);
  return number;
}

int getpid(void) { return positive(); }
int getppid(void) { return positive(); }

int __input_isatty(void);

int isatty(int file) {
  int answer = __input_isatty();
  __VERIFIER_assume(answer == 0 || answer == 1);
  return answer;
}
