// SPDX-License-Identifier: Apache-2.0
// The connections of io.verbs4j.bench.SocketComparison, with rsockets: the client connects and closes; the server, another process,
// accepts, reads until the end of the stream, and closes. Prints connections per second.
//
// Usage: connects ADDRESS PORT COUNT
#include <arpa/inet.h>
#include <rdma/rsocket.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in address = {.sin_family = AF_INET};

static int require(int result, const char *what) {
    if (result < 0) {
        perror(what);
        exit(1);
    }
    return result;
}

static void serve(int ready) {
    char byte;
    int listener = require(rsocket(AF_INET, SOCK_STREAM, 0), "rsocket");
    require(rbind(listener, (struct sockaddr *) &address, sizeof address), "rbind");
    require(rlisten(listener, 50), "rlisten");
    close(ready);
    for (;;) {
        int peer = require(raccept(listener, NULL, NULL), "raccept");
        require(rrecv(peer, &byte, 1, 0), "rrecv");
        require(rclose(peer), "rclose");
    }
}

static void connect_and_close(void) {
    int client = require(rsocket(AF_INET, SOCK_STREAM, 0), "rsocket");
    require(rconnect(client, (struct sockaddr *) &address, sizeof address), "rconnect");
    require(rclose(client), "rclose");
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int unused, char **argv) {
    int ready[2], count = atoi(argv[3]);
    address.sin_port = htons(atoi(argv[2]));
    inet_pton(AF_INET, argv[1], &address.sin_addr);
    require(pipe(ready), "pipe");
    pid_t server = require(fork(), "fork");
    if (server == 0) {
        serve(ready[1]);
    }
    close(ready[1]);
    char byte;
    require(read(ready[0], &byte, 1), "read"); // the end, when the server is ready
    connect_and_close();
    double start = now();
    for (int i = 0; i < count; i++) {
        connect_and_close();
    }
    printf("%f\n", count / (now() - start));
    kill(server, SIGKILL);
    return 0;
}
