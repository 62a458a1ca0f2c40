// SPDX-License-Identifier: Apache-2.0
// io.verbs4j.bench.DataPath in C: the same stores to the same rings (include/uapi/rdma/rdma_user_rxe.h), the
// same checks for room, the kernel played by one store. Times are processor time of the thread. Prints "name threads nanoseconds" per line: "single" without a
// lock, "locked" under a pthread_spin_lock, as librxe has it; and "librxe" for those with all of librxe's work.
//
// Usage: ring [milliseconds per measurement]
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS 128
#define MASK (SLOTS - 1)
#define NOINLINE __attribute__((noinline))

struct ring_head {
    uint32_t log2_elem_size, index_mask, pad1[30];
    uint32_t producer_index, pad2[31];
    uint32_t consumer_index, pad3[31];
    uint8_t data[];
};

struct sge {
    uint64_t addr;
    uint32_t length, lkey;
};

struct send_wqe {
    uint64_t wr_id;
    uint32_t reserved, opcode, send_flags, ex;
    union {
        struct { uint64_t remote_addr; uint32_t rkey, reserved; } rdma;
        struct { uint64_t remote_addr, compare_add, swap; uint32_t rkey, reserved; } atomic;
        struct { uint32_t remote_qpn, remote_qkey; uint16_t pkey_index, reserved; uint32_t ah_num; } ud;
        uint8_t space[120];
    } wr;
    uint32_t status, state;
    uint64_t iova;
    uint32_t mask, first_psn, last_psn, ack_length, ssn, has_rd_atomic;
    uint32_t length, resid, cur_sge, num_sge, sge_offset, dma_reserved;
    struct sge sge[3];
};

struct recv_wqe {
    uint64_t wr_id;
    uint32_t reserved, padding;
    uint32_t length, resid, cur_sge, num_sge, sge_offset, dma_reserved;
    struct sge sge[3];
};

struct cqe {
    uint64_t wr_id;
    uint32_t status, opcode, vendor_err, byte_len, ex, qp_num, src_qp, wc_flags;
    uint16_t pkey_index, slid;
    uint8_t sl, dlid_path_bits, port_num, reserved;
};

_Static_assert(sizeof(struct send_wqe) == 256 && sizeof(struct cqe) == 48, "layouts of the kernel header");

struct completion {
    uint64_t wr_id;
    uint32_t status, opcode, vendor_err, byte_len, ex, qp_num, src_qp, flags, pkey_index, slid, sl, bits;
};

struct queue {
    struct ring_head *ring;
    uint32_t next, free, consumer, available, batch;
    int shift, locked;
    pthread_spinlock_t lock;
};

static struct queue sends, receives, completions;
static uint64_t id, sum;
static uint8_t payload[48];

static void make(struct queue *q, int shift) {
    q->ring = aligned_alloc(4096, 4096 + (SLOTS << shift));
    memset(q->ring, 0, 4096 + (SLOTS << shift));
    q->shift = shift;
    q->free = MASK;
    pthread_spin_init(&q->lock, PTHREAD_PROCESS_PRIVATE);
}

static inline void lock(struct queue *q) {
    if (q->locked)
        pthread_spin_lock(&q->lock);
}

static inline void unlock(struct queue *q) {
    if (q->locked)
        pthread_spin_unlock(&q->lock);
}

static inline void *claim(struct queue *q) {
    if (q->free == 0) {
        uint32_t seen = __atomic_load_n(&q->ring->consumer_index, __ATOMIC_ACQUIRE);
        q->free = (seen - q->consumer) & MASK;
        if (q->free == 0)
            return NULL;
        q->consumer = seen;
    }
    return q->ring->data + (q->next << q->shift);
}

static inline void posted(struct queue *q) {
    q->next = (q->next + 1) & MASK;
    q->free--;
    q->batch++;
}

static inline uint32_t publish(struct queue *q) {
    uint32_t count = q->batch;
    __atomic_store_n(&q->ring->producer_index, q->next, __ATOMIC_RELEASE);
    q->batch = 0;
    return count;
}

static inline void consume(struct queue *q) {
    __atomic_store_n(&q->ring->consumer_index, q->ring->producer_index, __ATOMIC_RELEASE);
}

static inline void head(struct send_wqe *w, uint32_t opcode, uint64_t wr_id, uint32_t flags, uint32_t ex, uint64_t iova,
                        uint32_t length, uint32_t elements) {
    w->wr_id = wr_id;
    w->opcode = opcode;
    w->send_flags = flags;
    w->ex = ex;
    w->status = 0;
    w->state = 0;
    w->iova = iova;
    w->has_rd_atomic = 0;
    w->length = length;
    w->resid = length;
    w->cur_sge = 0;
    w->num_sge = elements;
    w->sge_offset = 0;
}

static inline void element(struct sge *s, uint64_t addr, uint32_t length, uint32_t lkey) {
    s->addr = addr;
    s->length = length;
    s->lkey = lkey;
}

static NOINLINE int transfer(uint32_t opcode, uint64_t wr_id, uint32_t flags, uint64_t addr, uint32_t length,
                             uint32_t lkey, uint64_t remote, uint32_t rkey, uint32_t ex) {
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    head(w, opcode, wr_id, flags, ex, remote, length, 1);
    w->wr.rdma.remote_addr = remote;
    w->wr.rdma.rkey = rkey;
    element(w->sge, addr, length, lkey);
    posted(&sends);
    return 1;
}

static void post_write(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer(0, n, 2, 4096 + (n & 1023), 64, 3, (1 << 20) + (n & 1023), 7, 0);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static void post_send(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer(2, n, 2, 4096 + (n & 1023), 64, 3, 0, 0, 0);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static void post_read(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer(4, n, 2, 4096 + (n & 1023), 64, 3, (1 << 20) + (n & 1023), 7, 0);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static void post_write_immediate(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer(1, n, 2, 4096 + (n & 1023), 64, 3, (1 << 20) + (n & 1023), 7, __builtin_bswap32(7));
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static void post_send_immediate(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer(3, n, 2, 4096 + (n & 1023), 64, 3, 0, 0, __builtin_bswap32(7));
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int transfer_list(uint64_t wr_id, const struct sge *list, int count, uint64_t remote) {
    uint32_t total = 0;
    for (int i = 0; i < count; i++)
        total += list[i].length;
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    head(w, 0, wr_id, 2, 0, remote, total, (uint32_t) count);
    w->wr.rdma.remote_addr = remote;
    w->wr.rdma.rkey = 7;
    for (int i = 0; i < count; i++)
        w->sge[i] = list[i];
    posted(&sends);
    return 1;
}

static void post_two_buffers(void) {
    static struct sge list[2] = {{4096, 64, 3}, {4160, 64, 3}};
    uint64_t n = ++id;
    lock(&sends);
    transfer_list(n, list, 2, (1 << 20) + (n & 1023));
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int transfer_inline(uint64_t wr_id, const void *source, uint32_t length) {
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    memcpy(w->sge, source, length);
    head(w, 2, wr_id, 2 | 8, 0, 0, length, 0);
    w->wr.rdma.remote_addr = 0;
    w->wr.rdma.rkey = 0;
    posted(&sends);
    return 1;
}

static void post_inline(void) {
    uint64_t n = ++id;
    lock(&sends);
    transfer_inline(n, payload, sizeof payload);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int atomic(uint32_t opcode, uint64_t wr_id, uint64_t addr, uint64_t remote, uint64_t compare_add,
                           uint64_t swap) {
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    head(w, opcode, wr_id, 2, 0, remote, 8, 1);
    w->wr.atomic.remote_addr = remote;
    w->wr.atomic.compare_add = compare_add;
    w->wr.atomic.swap = swap;
    w->wr.atomic.rkey = 7;
    element(w->sge, addr, 8, 3);
    posted(&sends);
    return 1;
}

static void post_atomic(void) {
    uint64_t n = ++id;
    lock(&sends);
    atomic(6, n, 4104, (1 << 20) + ((n & 127) << 3), n, 0);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static void post_compare_and_swap(void) {
    uint64_t n = ++id;
    lock(&sends);
    atomic(5, n, 4104, (1 << 20) + ((n & 127) << 3), n, 7);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int invalidate(uint64_t wr_id, uint32_t key) {
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    head(w, 7, wr_id, 2, key, 0, 0, 0);
    w->wr.rdma.remote_addr = 0;
    w->wr.rdma.rkey = 0;
    posted(&sends);
    return 1;
}

static void post_invalidate(void) {
    uint64_t n = ++id;
    lock(&sends);
    invalidate(n, 7);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int datagram(uint64_t wr_id, uint64_t addr, uint32_t length, uint32_t ah, uint32_t qpn, uint32_t qkey) {
    struct send_wqe *w = claim(&sends);
    if (!w)
        return 0;
    head(w, 2, wr_id, 2, 0, 0, length, 1);
    w->wr.ud.remote_qpn = qpn;
    w->wr.ud.remote_qkey = qkey;
    w->wr.ud.ah_num = ah;
    element(w->sge, addr, length, 3);
    posted(&sends);
    return 1;
}

static void post_datagram(void) {
    uint64_t n = ++id;
    lock(&sends);
    datagram(n, 4096 + (n & 1023), 64, 1, 17, 5);
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static NOINLINE int receive(uint64_t wr_id, uint64_t addr, uint32_t length) {
    struct recv_wqe *w = claim(&receives);
    if (!w)
        return 0;
    w->wr_id = wr_id;
    w->reserved = w->padding = 0;
    w->length = w->resid = length;
    w->cur_sge = 0;
    w->num_sge = 1;
    w->sge_offset = w->dma_reserved = 0;
    element(w->sge, addr, length, 3);
    posted(&receives);
    return 1;
}

static void post_receive(void) {
    uint64_t n = ++id;
    lock(&receives);
    receive(n, 4096 + (n & 1023), 64);
    publish(&receives);
    unlock(&receives);
    consume(&receives);
}

static void post_batch(void) {
    lock(&sends);
    for (int i = 0; i < 16; i++) {
        uint64_t n = ++id;
        transfer(0, n, 2, 4096 + (n & 1023), 64, 3, (1 << 20) + (n & 1023), 7, 0);
    }
    publish(&sends);
    unlock(&sends);
    consume(&sends);
}

static inline void complete(uint32_t count) {
    struct ring_head *r = completions.ring;
    __atomic_store_n(&r->producer_index, (r->consumer_index + count) & MASK, __ATOMIC_RELEASE);
}

static NOINLINE void handle(const struct completion *c) {
    sum += c->wr_id;
}

// As ibv_poll_cq: takes them all into an array, gives the slots back once, and then the caller looks at them.
static NOINLINE int poll(int max, struct completion *out) {
    struct queue *q = &completions;
    lock(q);
    if (q->available == 0)
        q->available = (__atomic_load_n(&q->ring->producer_index, __ATOMIC_ACQUIRE) - q->next) & MASK;
    int count = 0;
    while (count < max && q->available != 0) {
        struct cqe *e = (struct cqe *) (q->ring->data + (q->next << q->shift));
        struct completion *c = out + count++;
        c->wr_id = e->wr_id;
        c->status = e->status;
        c->opcode = e->opcode;
        c->vendor_err = e->vendor_err;
        c->byte_len = e->byte_len;
        c->flags = e->wc_flags;
        c->ex = e->wc_flags & 2 ? __builtin_bswap32(e->ex) : e->ex;
        c->qp_num = e->qp_num;
        c->src_qp = e->src_qp;
        c->pkey_index = e->pkey_index;
        c->slid = e->slid;
        c->sl = e->sl;
        c->bits = e->dlid_path_bits;
        q->next = (q->next + 1) & MASK;
        q->available--;
    }
    if (count)
        __atomic_store_n(&q->ring->consumer_index, q->next, __ATOMIC_RELEASE);
    unlock(q);
    return count;
}

static struct completion taken[16];

static void poll_empty(void) {
    poll(1, taken);
}

static void poll_some(int count) {
    complete((uint32_t) count);
    int n = poll(count, taken);
    for (int i = 0; i < n; i++)
        handle(taken + i);
}

static void poll1(void) {
    poll_some(1);
}

static void poll16(void) {
    poll_some(16);
}

static void post_and_poll(void) {
    post_write();
    poll1();
}

// The same once more, with the work that librxe does (providers/rxe/rxe.c of rdma-core): the caller fills a struct of its
// own, in a list; the library adds up the lengths, checks what the kernel would not, clears the whole request, copies fields
// and elements, and moves the shared index for each request; a poll copies each completion whole.
struct request {
    uint64_t wr_id;
    struct request *next;
    struct sge *list;
    int elements;
    uint32_t opcode, flags, ex;
    uint64_t remote;
    uint32_t rkey, pad;
    uint64_t more[6];
};

static const uint32_t max_elements = 3, max_inline = 48;

static NOINLINE int post_like_librxe(struct request *first) {
    int refused = 0;
    pthread_spin_lock(&sends.lock);
    for (struct request *r = first; r && !refused; r = r->next) {
        uint64_t length = 0;
        for (int i = 0; i < r->elements; i++)
            length += r->list[i].length;
        uint32_t producer = sends.ring->producer_index & MASK;
        if ((uint32_t) r->elements > max_elements || ((r->flags & 8) && length > max_inline)
            || ((r->opcode == 5 || r->opcode == 6) && (length < 8 || (r->remote & 7)))) {
            refused = 1;
            break;
        }
        struct send_wqe *w = (void *) (sends.ring->data + (producer << sends.shift));
        memset(w, 0, 144);
        w->wr_id = r->wr_id;
        w->opcode = r->opcode;
        w->send_flags = r->flags;
        w->ex = r->ex;
        w->wr.rdma.remote_addr = r->remote;
        w->wr.rdma.rkey = r->rkey;
        memcpy(w->sge, r->list, (size_t) r->elements * sizeof(struct sge));
        w->iova = r->remote;
        w->length = w->resid = (uint32_t) length;
        w->num_sge = (uint32_t) r->elements;
        w->cur_sge = w->sge_offset = w->state = 0;
        if (((producer + 1 - __atomic_load_n(&sends.ring->consumer_index, __ATOMIC_ACQUIRE)) & MASK) == 0)
            refused = 1;
        else
            __atomic_store_n(&sends.ring->producer_index, (producer + 1) & MASK, __ATOMIC_RELEASE);
    }
    pthread_spin_unlock(&sends.lock);
    return refused;
}

static struct request requests[16];
static struct sge elements[16];

static void fill_and_post(int count) {
    for (int i = 0; i < count; i++) {
        uint64_t n = ++id;
        struct request *r = requests + i;
        element(elements + i, 4096 + (n & 1023), 64, 3);
        *r = (struct request) {.wr_id = n, .next = i + 1 < count ? r + 1 : NULL, .list = elements + i, .elements = 1,
                               .flags = 2, .remote = (1 << 20) + (n & 1023), .rkey = 7};
    }
    post_like_librxe(requests);
    consume(&sends);
}

static void librxe_post(void) {
    fill_and_post(1);
}

static void librxe_batch(void) {
    fill_and_post(16);
}

static struct cqe copies[16];

static NOINLINE int poll_like_librxe(int max) {
    struct ring_head *ring = completions.ring;
    int count = 0;
    pthread_spin_lock(&completions.lock);
    for (; count < max; count++) {
        uint32_t consumer = ring->consumer_index & MASK;
        if (__atomic_load_n(&ring->producer_index, __ATOMIC_ACQUIRE) == consumer)
            break;
        memcpy(copies + count, ring->data + (consumer << completions.shift), sizeof *copies);
        __atomic_store_n(&ring->consumer_index, (consumer + 1) & MASK, __ATOMIC_RELEASE);
    }
    pthread_spin_unlock(&completions.lock);
    return count;
}

static NOINLINE void handle_copy(const struct cqe *c) {
    sum += c->wr_id;
}

static void librxe_poll_some(int count) {
    complete((uint32_t) count);
    int n = poll_like_librxe(count);
    for (int i = 0; i < n; i++)
        handle_copy(copies + i);
}

static void librxe_poll_empty(void) {
    poll_like_librxe(1);
}

static void librxe_poll1(void) {
    librxe_poll_some(1);
}

static void librxe_poll16(void) {
    librxe_poll_some(16);
}

static void librxe_post_and_poll(void) {
    librxe_post();
    librxe_poll1();
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static double measure(void (*work)(void), double nanos) {
    uint64_t done = 0;
    double start = now(), end;
    do {
        for (int i = 0; i < 10000; i++)
            work();
        done += 10000;
        end = now();
    } while (end - start < nanos);
    return (end - start) / done;
}

int main(int argc, char **argv) {
    static const struct { const char *name; void (*work)(void); } all[] = {
        {"postWrite", post_write},
        {"postSend", post_send},
        {"postRead", post_read},
        {"postWriteImmediate", post_write_immediate},
        {"postSendImmediate", post_send_immediate},
        {"postWriteOfTwoBuffers", post_two_buffers},
        {"postInline48", post_inline},
        {"postAtomic", post_atomic},
        {"postCompareAndSwap", post_compare_and_swap},
        {"postInvalidate", post_invalidate},
        {"postDatagram", post_datagram},
        {"postReceive", post_receive},
        {"postBatchOf16", post_batch},
        {"pollEmpty", poll_empty},
        {"poll1", poll1},
        {"poll16", poll16},
        {"poll16ByCursor", poll16},
        {"postAndPoll", post_and_poll},
    };
    double nanos = (argc > 1 ? atof(argv[1]) : 100) * 1e6;
    make(&sends, 8);
    make(&receives, 7);
    make(&completions, 7);
    for (int locked = 0; locked < 2; locked++) {
        sends.locked = receives.locked = completions.locked = locked;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            measure(all[i].work, nanos / 2);
            printf("%s %s %.2f\n", all[i].name, locked ? "locked" : "single", measure(all[i].work, nanos));
        }
    }
    static const struct { const char *name; void (*work)(void); } librxe[] = {
        {"postWrite", librxe_post},
        {"postBatchOf16", librxe_batch},
        {"pollEmpty", librxe_poll_empty},
        {"poll1", librxe_poll1},
        {"poll16", librxe_poll16},
        {"poll16ByCursor", librxe_poll16},
        {"postAndPoll", librxe_post_and_poll},
    };
    // Both sides read the shared indices from now on.
    sends.ring->producer_index = sends.ring->consumer_index = 0;
    completions.ring->producer_index = completions.ring->consumer_index = 0;
    for (size_t i = 0; i < sizeof librxe / sizeof *librxe; i++) {
        measure(librxe[i].work, nanos / 2);
        printf("%s librxe %.2f\n", librxe[i].name, measure(librxe[i].work, nanos));
    }
    return sum == 1;
}
