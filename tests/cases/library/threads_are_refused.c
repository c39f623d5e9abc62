// verdict: UNKNOWN
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void *work(void *argument) { return argument; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, work, 0); }
