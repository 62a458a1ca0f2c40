// SPDX-License-Identifier: Apache-2.0
// io.verbs4j.bench.Growth in C, over libibverbs: what objects cost by their number. Prints "kind,count,create,destroy,bytes,use"
// per line: nanoseconds an object to create and to destroy it, bytes of the process for it, nanoseconds of its use (see below).
//
// Usage: growth DEVICE KIND:COUNT...
#include <infiniband/verbs.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16
#define PAGE 4096
#define WINDOW 64
#define MESSAGES 20000
#define MAX_THREADS 256

static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_mr *region;
static char *memory;
static int gid_index;
static union ibv_gid gid;

static void require(int good, const char *what) {
    if (!good) {
        perror(what);
        exit(1);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/// Bytes of this process that are in memory.
static double resident(void) {
    long total, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    require(file && fscanf(file, "%ld %ld", &total, &pages) == 2, "statm");
    fclose(file);
    return pages * (double) sysconf(_SC_PAGESIZE);
}

static struct ibv_cq *create_queue(int entries) {
    struct ibv_cq *queue = ibv_create_cq(context, entries, NULL, NULL, 0);
    require(queue != NULL, "create completion queue");
    return queue;
}

static struct ibv_qp *create_pair(struct ibv_cq *queue, int sends) {
    struct ibv_qp_init_attr attributes = {
        .send_cq = queue, .recv_cq = queue, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = sends, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *pair = ibv_create_qp(domain, &attributes);
    require(pair != NULL, "create queue pair");
    return pair;
}

static void to_init(struct ibv_qp *pair) {
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    require(!ibv_modify_qp(pair, &attributes, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
}

/// Connects a queue pair to itself.
static void connect_pair(struct ibv_qp *pair) {
    to_init(pair);
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = pair->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
        .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.dgid = gid, .sgid_index = gid_index, .hop_limit = 64}}};
    require(!ibv_modify_qp(pair, &attributes, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
            | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER), "RTR");
    attributes.qp_state = IBV_QPS_RTS;
    attributes.timeout = 14;
    attributes.retry_cnt = attributes.rnr_retry = 7;
    attributes.max_rd_atomic = 1;
    require(!ibv_modify_qp(pair, &attributes, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
            | IBV_QP_MAX_QP_RD_ATOMIC), "RTS");
}

static void post(struct ibv_qp *pair) {
    struct ibv_sge part = {.addr = (uintptr_t) memory, .length = 8, .lkey = region->lkey};
    struct ibv_send_wr *bad, request = {
        .sg_list = &part, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = {.remote_addr = (uintptr_t) memory + 64, .rkey = region->rkey}};
    require(!ibv_post_send(pair, &request, &bad), "post");
}

/// Polls a batch, and requires the status that all should have.
static int poll_batch(struct ibv_cq *queue, enum ibv_wc_status status) {
    struct ibv_wc done[BATCH];
    int got = ibv_poll_cq(queue, BATCH, done);
    for (int i = 0; i < got; i++)
        require(done[i].status == status, "completion");
    return got;
}

static void print(const char *kind, int count, double create, double destroy, double bytes, double use) {
    printf("%s,%d,%.0f,%.0f,%.0f,%.1f\n", kind, count, create / count, destroy / count, bytes / count, use);
    fflush(stdout);
}

/// Queue pairs on one completion queue. Use: a poll's time for each completion, when every queue pair has one there.
static void queue_pairs(int count) {
    struct ibv_qp **pairs = calloc(count, sizeof *pairs);
    struct ibv_cq *queue = create_queue(count + BATCH);
    double before = resident(), start = now();
    for (int i = 0; i < count; i++)
        pairs[i] = create_pair(queue, 1);
    double create = now() - start, bytes = resident() - before;
    struct ibv_qp_attr error = {.qp_state = IBV_QPS_ERR};
    for (int i = 0; i < count; i++) {
        to_init(pairs[i]);
        require(!ibv_modify_qp(pairs[i], &error, IBV_QP_STATE), "ERR");
        post(pairs[i]);
    }
    usleep(300000);
    double polled = 0;
    for (int done = 0; done < count;) {
        double poll = now();
        int got = poll_batch(queue, IBV_WC_WR_FLUSH_ERR);
        if (got > 0)
            polled += now() - poll;
        done += got;
    }
    start = now();
    for (int i = 0; i < count; i++)
        require(!ibv_destroy_qp(pairs[i]), "destroy queue pair");
    print("queue-pairs", count, create, now() - start, bytes, polled / count);
    ibv_destroy_cq(queue);
    free(pairs);
}

/// Regions of one page, the same for all. Use: none.
static void regions(int count) {
    struct ibv_mr **all = calloc(count, sizeof *all);
    double before = resident(), start = now();
    for (int i = 0; i < count; i++)
        require((all[i] = ibv_reg_mr(domain, memory, PAGE, IBV_ACCESS_LOCAL_WRITE)) != NULL, "register");
    double create = now() - start, bytes = resident() - before;
    start = now();
    for (int i = 0; i < count; i++)
        require(!ibv_dereg_mr(all[i]), "deregister");
    print("regions", count, create, now() - start, bytes, 0);
    free(all);
}

/// Writes `messages` times by turns over some queue pairs, a window of them under way.
static double exchange(struct ibv_qp **pairs, int count, struct ibv_cq *queue, int messages) {
    double start = now();
    int window = count < WINDOW ? count : WINDOW;
    for (int posted = 0, done = 0; done < messages;) {
        for (; posted < messages && posted - done < window; posted++)
            post(pairs[posted % count]);
        int got = poll_batch(queue, IBV_WC_SUCCESS);
        done += got;
        if (got == 0)
            sched_yield();
    }
    return now() - start;
}

/// Connections, each a queue pair connected to itself. Use: a write's time, by turns over all.
static void connections(int count) {
    struct ibv_qp **pairs = calloc(count, sizeof *pairs);
    struct ibv_cq *queue = create_queue(2 * WINDOW);
    double before = resident(), start = now();
    for (int i = 0; i < count; i++) {
        pairs[i] = create_pair(queue, 16);
        connect_pair(pairs[i]);
    }
    double create = now() - start, bytes = resident() - before;
    int messages = count > MESSAGES ? count : MESSAGES;
    double use = exchange(pairs, count, queue, messages) / messages;
    start = now();
    for (int i = 0; i < count; i++)
        require(!ibv_destroy_qp(pairs[i]), "destroy queue pair");
    print("connections", count, create, now() - start, bytes, use);
    ibv_destroy_cq(queue);
    free(pairs);
}

static pthread_barrier_t together;
static int each;

static void *work(void *nothing) {
    struct ibv_cq *queue = create_queue(WINDOW);
    struct ibv_qp *pairs[BATCH];
    for (int i = 0; i < BATCH; i++)
        connect_pair(pairs[i] = create_pair(queue, 16));
    pthread_barrier_wait(&together);
    exchange(pairs, BATCH, queue, each);
    pthread_barrier_wait(&together);
    for (int i = 0; i < BATCH; i++)
        ibv_destroy_qp(pairs[i]);
    ibv_destroy_cq(queue);
    return nothing;
}

/// Threads, each with queue pairs and a completion queue of its own. Use: a write's time, of all threads together.
static void threads(int count) {
    pthread_t all[MAX_THREADS];
    require(count <= MAX_THREADS, "threads");
    each = MESSAGES / count;
    pthread_barrier_init(&together, NULL, count + 1);
    double before = resident(), start = now();
    for (int i = 0; i < count; i++)
        require(!pthread_create(&all[i], NULL, work, NULL), "thread");
    pthread_barrier_wait(&together);
    double created = now(), bytes = resident() - before;
    pthread_barrier_wait(&together);
    double used = now();
    for (int i = 0; i < count; i++)
        pthread_join(all[i], NULL);
    print("threads", count, created - start, now() - used, bytes, (used - created) / (each * count));
    pthread_barrier_destroy(&together);
}

static void run(char *argument) {
    char *count = strchr(argument, ':');
    require(count != NULL, argument);
    *count++ = 0;
    if (!strcmp(argument, "queue-pairs"))
        queue_pairs(atoi(count));
    else if (!strcmp(argument, "regions"))
        regions(atoi(count));
    else if (!strcmp(argument, "connections"))
        connections(atoi(count));
    else if (!strcmp(argument, "threads"))
        threads(atoi(count));
    else
        require(0, argument);
}

int main(int count, char **arguments) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    for (int i = 0; devices && devices[i]; i++)
        if (count > 1 && !strcmp(ibv_get_device_name(devices[i]), arguments[1]))
            context = ibv_open_device(devices[i]);
    require(context != NULL, "open device");
    struct ibv_gid_entry entries[64];
    int known = ibv_query_gid_table(context, entries, 64, 0);
    for (int i = known - 1; i >= 0; i--)
        if (entries[i].gid_type == IBV_GID_TYPE_ROCE_V2 && entries[i].gid.raw[10] == 0xff && entries[i].gid.raw[11] == 0xff) {
            gid_index = entries[i].gid_index;
            gid = entries[i].gid;
        }
    domain = ibv_alloc_pd(context);
    require(domain && !posix_memalign((void **) &memory, PAGE, PAGE), "memory");
    region = ibv_reg_mr(domain, memory, PAGE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    require(region != NULL, "register");
    for (int i = 2; i < count; i++)
        run(arguments[i]);
    return 0;
}
