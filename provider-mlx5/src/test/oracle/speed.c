// SPDX-License-Identifier: Apache-2.0
/*
 * Measures posts and polls of unmodified libibverbs and libmlx5 over the kernel that is not there: what
 * io.verbs4j.bench.DriverPath does in Java. The card writes each completion by one store. For each line on the standard input
 * it measures a slice of each operation, prints "name nanoseconds" for each and an empty line. Times are processor time.
 *
 * Usage: speed MILLISECONDS
 */
#define _GNU_SOURCE
#include "kernel.h"
#include <endian.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16
#define CQE 64
#define CHUNK 2000

static struct ibv_qp *qp;
static struct ibv_cq *cq;
static uint8_t *completions;
static unsigned entries, completed;
static uint64_t id, sum;

static void fail(const char *what)
{
    fprintf(stderr, "speed: %s\n", what);
    kernel_stop();
    exit(4);
}

static void complete(int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t word = htobe32((completed & 0xffff) << 16 | !!(completed & entries));
        __atomic_store_n((uint32_t *)(completions + (size_t)(completed & (entries - 1)) * CQE + 60), word, __ATOMIC_RELEASE);
        completed++;
    }
}

static void post_and_poll_some(int count)
{
    struct ibv_sge elements[BATCH];
    struct ibv_send_wr sends[BATCH], *bad;
    for (int i = 0; i < count; i++) {
        uint64_t n = ++id;
        elements[i] = (struct ibv_sge){ .addr = 4096 + (n & 1023), .length = 64, .lkey = 3 };
        sends[i] = (struct ibv_send_wr){ .wr_id = n, .sg_list = &elements[i], .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
            .send_flags = IBV_SEND_SIGNALED, .wr.rdma = { (1 << 20) + (n & 1023), 7 },
            .next = i + 1 < count ? &sends[i + 1] : NULL };
    }
    if (ibv_post_send(qp, sends, &bad))
        fail("post");
    complete(count);
    struct ibv_wc done[BATCH];
    if (ibv_poll_cq(cq, count, done) != count)
        fail("poll");
    for (int i = 0; i < count; i++)
        sum += done[i].wr_id;
}

static void post_and_poll(void)
{
    post_and_poll_some(1);
}

static void post_and_poll16(void)
{
    post_and_poll_some(BATCH);
}

static void poll_empty(void)
{
    struct ibv_wc done;
    sum += ibv_poll_cq(cq, 1, &done);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static double measure(void (*work)(void), double nanos)
{
    uint64_t done = 0;
    double start = now(), end;
    do {
        for (int i = 0; i < CHUNK; i++)
            work();
        done += CHUNK;
        end = now();
    } while (end - start < nanos);
    return (end - start) / done;
}

static void open_device(void)
{
    int n;
    kernel_start(7);
    struct ibv_device **list = ibv_get_device_list(&n);
    struct ibv_context *context = n == 1 ? ibv_open_device(list[0]) : NULL;
    if (!context)
        fail("libibverbs sees no mlx5 device");
    struct ibv_pd *pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 127, NULL, NULL, 0);
    struct ibv_qp_init_attr a = { .qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq,
        .cap = { .max_send_wr = 64, .max_recv_wr = 128, .max_send_sge = 1, .max_recv_sge = 1 } };
    qp = pd && cq ? ibv_create_qp(pd, &a) : NULL;
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS };
    if (!qp || ibv_modify_qp(qp, &rts, IBV_QP_STATE))
        fail("no queue pair");
    completions = kernel_cq_memory(0, &entries);
    for (unsigned i = 0; i < entries; i++)
        *(uint32_t *)(completions + (size_t)i * CQE + 56) = htobe32(0x08000000 | qp->qp_num);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*work)(void); } all[] = {
        { "postAndPoll", post_and_poll }, { "postAndPoll16", post_and_poll16 }, { "pollEmpty", poll_empty } };
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
    setenv("MLX5_SHUT_UP_BF", "1", 1); /* doorbells of 8 bytes, as ours */
    setenv("MLX5_DEBUG_FILE", "/dev/null", 1);
    double nanos = (argc > 1 ? atof(argv[1]) : 20) * 1e6;
    kernel_print(0);
    FILE *out = fdopen(dup(1), "w");
    if (!out || !freopen("/dev/null", "w", stdout)) /* what the kernel says of its mappings */
        return 4;
    open_device();
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            measure(all[i].work, nanos / 4);
            fprintf(out, "%s %.2f\n", all[i].name, measure(all[i].work, nanos));
        }
        fputs("\n", out);
        fflush(out);
    }
    kernel_stop();
    return sum == 1;
}
