/* libgit2 without optional features. */
#define GIT_ARCH_64 1
