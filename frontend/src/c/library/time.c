// <time.h> and the clocks of POSIX: the time is an input. Calendar dates and their texts are
// over-approximated.

struct timeval { long seconds, microseconds; };
struct timespec { long seconds, nanoseconds; };
struct tm {
  int second, minute, hour, day, month, year, weekday, yearday, is_daylight_saving;
  long offset;
  const char *zone;
};

long __input_time(void);
long __input_clock(void);
int __approximate_calendar(void);
char __approximate_text_of_a_date(void);

long time(long *to) {
  long now = __input_time();
  __VERIFIER_assume(now >= -1);
  if (to) *to = now;
  return now;
}

long clock(void) {
  long ticks = __input_clock();
  __VERIFIER_assume(ticks >= -1);
  return ticks;
}

double difftime(long a, long b) { return (double)a - (double)b; }

int gettimeofday(struct timeval *to, void *zone) {
  if (to) {
    to->seconds = __input_time();
    to->microseconds = __input_clock();
    __VERIFIER_assume(to->seconds >= 0 && to->microseconds >= 0 && to->microseconds < 1000000);
  }
  // The time zone of the kernel: two numbers that no system uses.
  int *numbers = zone;
  if (numbers) numbers[0] = numbers[1] = 0;
  return 0;
}

int clock_gettime(int clock, struct timespec *to) {
  if (__approximate_calendar() < 0) return -1;
  to->seconds = __input_time();
  to->nanoseconds = __input_clock();
  __VERIFIER_assume(to->seconds >= 0 && to->nanoseconds >= 0 && to->nanoseconds < 1000000000);
  return 0;
}

static struct tm date;
static char zone[8];

static int between(int least, int most) {
  int number = __approximate_calendar();
  __VERIFIER_assume(number >= least && number <= most);
  return number;
}

static struct tm *break_down(struct tm *to) {
  to->second = between(0, 60);
  to->minute = between(0, 59);
  to->hour = between(0, 23);
  to->day = between(1, 31);
  to->month = between(0, 11);
  to->year = __approximate_calendar();
  to->weekday = between(0, 6);
  to->yearday = between(0, 365);
  to->is_daylight_saving = between(-1, 1);
  to->offset = between(-86400, 86400);
  for (int i = 0; i < 7; i++) zone[i] = __approximate_text_of_a_date();
  to->zone = zone;
  return to;
}

struct tm *localtime_r(const long *time, struct tm *to) {
  read_block(time, sizeof *time);
  return break_down(to);
}

struct tm *gmtime_r(const long *time, struct tm *to) { return localtime_r(time, to); }
struct tm *localtime(const long *time) { return localtime_r(time, &date); }
struct tm *gmtime(const long *time) { return localtime_r(time, &date); }

long mktime(struct tm *to) {
  break_down(to);
  return __approximate_calendar();
}

static char date_text[26];

static char *print_date(void) {
  for (int i = 0; i < 24; i++) {
    date_text[i] = __approximate_text_of_a_date();
    __VERIFIER_assume(date_text[i] != 0);
  }
  date_text[24] = '\n';
  return date_text;
}

char *ctime(const long *time) {
  read_block(time, sizeof *time);
  return print_date();
}

char *asctime(const struct tm *from) {
  read_block(from, sizeof *from);
  return print_date();
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *from) {
  read_text(format);
  read_block(from, sizeof *from);
  for (size_t i = 0; i < size; i++) to[i] = __approximate_text_of_a_date();
  size_t length = __approximate_calendar();
  __VERIFIER_assume(length == 0 || length < size);
  if (length > 0) to[length] = 0;
  return length;
}
