#define BUILD "real"
#define INLINE __inline__
#define THREAD_LOCAL __thread
#define PACKAGE_NAME "mozjpeg"
#define VERSION "2.2.3"
#define SIZEOF_SIZE_T 8
