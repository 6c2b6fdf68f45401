/* Loaded before a program (LD_PRELOAD): its syncs and writes below a path fail, wait or lose what they were given, as FAULT_DISK_RULES says now. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define RULES 16
#define LOST 4096
#define LOOK_MILLISECONDS 20

struct rule { char call[8]; char effect[16]; long argument; char path[PATH_MAX]; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rule rules[RULES];
static int rule_count;
static long looked_at = -LOOK_MILLISECONDS;
static struct { dev_t device; ino_t inode; } lost[LOST];
static int lost_count;

static long now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* A line is: call effect argument path. The file is replaced by renaming, so that no half of it is ever read. */
static void look(void) {
	static char text[RULES * PATH_MAX];
	if (now() - looked_at < LOOK_MILLISECONDS) return;
	looked_at = now();
	const char *name = getenv("FAULT_DISK_RULES");
	long file = name ? syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC) : -1;
	long size = file < 0 ? -1 : syscall(SYS_read, file, text, sizeof text - 1);
	if (file >= 0) syscall(SYS_close, file);
	else if (name && errno != ENOENT) return; /* no descriptor left: the rules stay what they were */
	rule_count = 0;
	if (size < 0) return;
	text[size] = 0;
	for (char *line = text; *line && rule_count < RULES; ) {
		char *end = strchr(line, '\n');
		if (!end) break;
		*end = 0;
		struct rule *rule = &rules[rule_count];
		if (sscanf(line, "%7s %15s %ld %4095[^\n]", rule->call, rule->effect, &rule->argument, rule->path) == 4) rule_count++;
		line = end + 1;
	}
}

static int rule_for(const char *call, int descriptor, struct rule *found) {
	char link[64], path[PATH_MAX];
	int matched = 0;
	pthread_mutex_lock(&mutex);
	look();
	for (int index = 0; index < rule_count && !matched; index++) {
		if (strcmp(rules[index].call, call) != 0) continue;
		snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
		ssize_t length = readlink(link, path, sizeof path - 1);
		if (length < 0) break;
		path[length] = 0;
		if (strncmp(path, rules[index].path, strlen(rules[index].path)) != 0) continue;
		*found = rules[index];
		matched = 1;
	}
	pthread_mutex_unlock(&mutex);
	return matched;
}

/* True from the second time on. */
static int was_lost(int descriptor, int add) {
	struct stat file;
	int known = 0;
	if (fstat(descriptor, &file) != 0) return 0;
	pthread_mutex_lock(&mutex);
	for (int index = 0; index < lost_count && !known; index++) known = lost[index].device == file.st_dev && lost[index].inode == file.st_ino;
	if (!known && add && lost_count < LOST) {
		lost[lost_count].device = file.st_dev;
		lost[lost_count++].inode = file.st_ino;
	}
	pthread_mutex_unlock(&mutex);
	return known;
}

/* 0: go on; -1: errno is set; 1: say that it was done. */
static int meet(const char *call, int descriptor) {
	struct rule rule;
	int saved = errno;
	int is_sync = strcmp(call, "sync") == 0;
	if (is_sync && was_lost(descriptor, 0)) return 1;
	if (!rule_for(call, descriptor, &rule)) { errno = saved; return 0; }
	if (strcmp(rule.effect, "fail") == 0) { errno = (int)rule.argument; return -1; }
	if (strcmp(rule.effect, "lose") == 0 && is_sync) { was_lost(descriptor, 1); errno = EIO; return -1; }
	for (long until = now() + rule.argument; now() < until && rule_for(call, descriptor, &rule); ) usleep(10000);
	errno = saved;
	return 0;
}

#define PASS(type, name, call, parameters, arguments) \
	type name parameters { \
		static type (*next) parameters; \
		if (!next) next = (type (*) parameters)dlsym(RTLD_NEXT, #name); \
		int met = meet(call, descriptor); \
		if (met != 0) return met < 0 ? -1 : 0; \
		return next arguments; \
	}

PASS(int, fsync, "sync", (int descriptor), (descriptor))
PASS(int, fdatasync, "sync", (int descriptor), (descriptor))
PASS(ssize_t, write, "write", (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size))
PASS(ssize_t, writev, "write", (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
PASS(ssize_t, pwrite, "write", (int descriptor, const void *bytes, size_t size, off_t at), (descriptor, bytes, size, at))
PASS(ssize_t, pwrite64, "write", (int descriptor, const void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at))
PASS(ssize_t, pwritev, "write", (int descriptor, const struct iovec *parts, int count, off_t at), (descriptor, parts, count, at))
PASS(ssize_t, pwritev64, "write", (int descriptor, const struct iovec *parts, int count, off64_t at), (descriptor, parts, count, at))
