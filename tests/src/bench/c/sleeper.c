// SPDX-License-Identifier: Apache-2.0
// Gives a program that preloads it a second thread, which sleeps for ever. The kernel takes a reference to the file in each
// system call of a process with several threads (fdget), and only there: a Java virtual machine always has several.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *sleep_for_ever(void *unused) {
    for (;;)
        pause();
    return unused;
}

__attribute__((constructor)) static void start(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_for_ever, NULL) != 0)
        abort();
}
