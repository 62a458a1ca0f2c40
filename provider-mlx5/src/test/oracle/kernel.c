// SPDX-License-Identifier: Apache-2.0
/*
 * Plays the kernel to unmodified libibverbs and libmlx5: the functions below come before those of libc, because the program
 * that contains them exports them. Needs neither a module, nor a device, nor privileges. A made-up tree takes the place of
 * sysfs, which is what libibverbs reads where RDMA netlink finds nothing.
 *
 * Every request arrives by write(), since ioctl() answers ENOTTY. A request is printed word for word; what differs from run
 * to run (addresses, user handles) is printed as a name.
 */
#define _GNU_SOURCE
#include "kernel.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEVICE "/dev/infiniband/uverbs0"
#define NUMBER makedev(231, 192)
#define PAGE 4096
#define AREAS 64
#define UARS 16

enum { CQE_BYTES = 64, CQE_RESIZE = 5, OWNER = 1 };

/* Memory that the device reads or writes, and how it looked when it was shown last. */
struct area {
    char name[24];
    uint8_t *memory;
    uint8_t *shown;
    size_t bytes;
    unsigned handle; /* of the object that it belongs to; 0 for doorbell pages, which are wiped when shown */
};

struct cq {
    unsigned handle, entries, producer, events;
    uint8_t *buffer;
};

static struct area areas[AREAS];
static unsigned area_count;
static struct cq cqs[AREAS];
static unsigned cq_count, handles, pages, device = -1u, events[2], printing, srq_limit;
static unsigned qp_count, srq_count, mw_count, ah_count;
static char tree[64];

static void fail(const char *what)
{
    fprintf(stderr, "oracle: %s\n", what);
    exit(3);
}

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        fail(name);
    return found;
}

/* ---- the tree in the place of sysfs ---- */

static void entry(const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", tree, path);
    for (char *p = full + strlen(tree) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(full, 0700);
        *p = '/';
    }
    FILE *f = fopen(full, "w");
    if (!f)
        fail(full);
    fputs(text, f);
    fclose(f);
}

void kernel_start(unsigned max_srq_wr)
{
    srq_limit = max_srq_wr;
    if (*tree)
        return;
    strcpy(tree, "/tmp/verbs4j-oracle-XXXXXX");
    if (!mkdtemp(tree))
        fail("no folder in /tmp");
    entry("class/infiniband_verbs/abi_version", "6\n");
    entry("class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n");
    entry("class/infiniband_verbs/uverbs0/dev", "231:192\n");
    entry("class/infiniband_verbs/uverbs0/abi_version", "1\n");
    const char *card = "pci:v000015B3d00001017sv000015B3sd00000007bc02sc07i00\n"; /* ConnectX-5 */
    entry("class/infiniband_verbs/uverbs0/device/modalias", card);
    entry("class/infiniband/mlx5_0/device/modalias", card);
    entry("class/infiniband/mlx5_0/node_type", "1: CA\n");
    entry("class/infiniband/mlx5_0/ports/1/gids/0", "0000:0000:0000:0000:0000:ffff:0a09:0001\n");
    entry("class/infiniband/mlx5_0/ports/1/gid_attrs/types/0", "RoCE v2\n");
    setenv("SYSFS_PATH", tree, 1);
}

void kernel_stop(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", tree);
    if (system(command) != 0)
        fail("the tree stays");
}

void kernel_print(int on)
{
    printing = on;
}

/* ---- memory ---- */

static void watch(unsigned handle, uint8_t *memory, size_t bytes, const char *kind, unsigned number, const char *part)
{
    if (area_count == AREAS)
        fail("too many areas");
    struct area *a = &areas[area_count++];
    snprintf(a->name, sizeof a->name, "%s%u%s", kind, number, part);
    *a = (struct area){ .memory = memory, .shown = calloc(1, bytes), .bytes = bytes, .handle = handle };
    snprintf(a->name, sizeof a->name, "%s%u%s", kind, number, part);
}

static void forget(unsigned handle, const char *part)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < area_count; i++) {
        struct area *a = &areas[i];
        if (a->handle == handle && (!part || strstr(a->name, part)))
            free(a->shown);
        else
            areas[kept++] = *a;
    }
    area_count = kept;
}

void kernel_show(void)
{
    for (unsigned i = 0; i < area_count; i++) {
        struct area *a = &areas[i];
        for (size_t at = 0; at < a->bytes; at += 16) {
            size_t n = a->bytes - at < 16 ? a->bytes - at : 16;
            if (!memcmp(a->memory + at, a->shown + at, n))
                continue;
            printf("  %s+%zx ", a->name, at);
            for (size_t k = 0; k < n; k++)
                printf("%02x", a->memory[at + k]);
            putchar('\n');
            memcpy(a->shown + at, a->memory + at, n);
        }
        if (!a->handle) {
            memset(a->memory, 0, a->bytes);
            memset(a->shown, 0, a->bytes);
        }
    }
}

/* ---- the device's side of completion queues ---- */

static void put(struct cq *q, const uint8_t *bytes)
{
    uint8_t *slot = q->buffer + (size_t)(q->producer & (q->entries - 1)) * CQE_BYTES;
    memcpy(slot, bytes, CQE_BYTES - 1);
    unsigned owner = q->producer & q->entries ? OWNER : 0;
    slot[CQE_BYTES - 1] = (bytes[CQE_BYTES - 1] & ~OWNER) | owner;
    q->producer++;
}

void kernel_complete(unsigned cq, const uint8_t *bytes)
{
    put(&cqs[cq], bytes);
}

uint8_t *kernel_cq_memory(unsigned cq, unsigned *entries)
{
    *entries = cqs[cq].entries;
    return cqs[cq].buffer;
}

void kernel_event(unsigned cq, uint64_t user_handle)
{
    cqs[cq].events++;
    struct ib_uverbs_comp_event_desc record = { .cq_handle = user_handle };
    ssize_t (*f)(int, const void *, size_t) = next("write");
    if (f(events[1], &record, sizeof record) != sizeof record)
        fail("event");
}

static struct cq *cq_of(unsigned handle)
{
    for (unsigned i = 0; i < cq_count; i++)
        if (cqs[i].handle == handle)
            return &cqs[i];
    fail("unknown completion queue");
    return NULL;
}

/* ---- requests ---- */

/* Prints the request's words, with names in the place of what differs from run to run. */
static void print(unsigned command, const struct ib_uverbs_cmd_hdr *h, const uint8_t *core, size_t bytes, size_t user,
                  size_t driver, int buffers)
{
    if (!printing)
        return;
    printf("command %u ", command);
    (void)h;
    for (size_t at = 8; at < bytes; at += 8) {
        if (user && at == user)
            printf(" user");
        else if (buffers && at == driver)
            printf(" buf");
        else if (buffers > 1 && at == driver + 8)
            printf(" db");
        else {
            putchar(' ');
            for (size_t k = at; k < at + 8 && k < bytes; k++)
                printf("%02x", core[k]);
        }
    }
    putchar('\n');
}

static int answer(const void *buf, size_t n)
{
    const struct ib_uverbs_cmd_hdr *h = buf;
    const uint8_t *q = (const uint8_t *)buf + sizeof *h;
    size_t bytes = n - sizeof *h;
    if (h->command & IB_USER_VERBS_CMD_FLAG_EXTENDED) {
        unsigned command = h->command & 0xff;
        const struct ib_uverbs_ex_cmd_hdr *e = (const void *)q;
        uint8_t *o = (uint8_t *)(uintptr_t)e->response;
        if (command != IB_USER_VERBS_EX_CMD_QUERY_DEVICE)
            return -EOPNOTSUPP;
        memset(o, 0, h->out_words * 8 + e->provider_out_words * 8);
        struct ib_uverbs_ex_query_device_resp *r = (void *)o;
        size_t room = h->out_words * 8;
        r->response_length = room < sizeof *r ? room : sizeof *r;
        r->base.vendor_id = 0x2c9;
        r->base.vendor_part_id = 4119;
        r->base.max_qp = 1000;
        r->base.max_qp_wr = 32768;
        r->base.max_sge = 30;
        r->base.phys_port_cnt = 1;
        r->base.max_cq = 1000;
        r->base.max_cqe = 4194303;
        r->base.atomic_cap = 1;
        return 0;
    }
    void *o = (void *)*(const uintptr_t *)q;
    size_t room = h->out_words * 4;
    switch (h->command) {
    case IB_USER_VERBS_CMD_GET_CONTEXT: {
        memset(o, 0, room);
        struct ib_uverbs_get_context_resp *r = o;
        r->async_fd = eventfd(0, EFD_NONBLOCK);
        r->num_comp_vectors = 4;
        struct mlx5_ib_alloc_ucontext_resp *m = (void *)(r + 1);
        const struct mlx5_ib_alloc_ucontext_req_v2 *wanted = (const void *)(q + 8);
        m->qp_tab_size = 1 << 18;
        m->bf_reg_size = 512;
        m->tot_bfregs = wanted->total_num_bfregs;
        m->cache_line_size = 64;
        m->max_sq_desc_sz = 1024;
        m->max_rq_desc_sz = 512;
        m->max_send_wqebb = 32768;
        m->max_recv_wr = 32768;
        m->max_srq_recv_wr = srq_limit;
        m->num_ports = 1;
        m->response_length = sizeof *m;
        m->cqe_version = 0; /* whatever is asked for: what a provider gets that asks for 0 */
        m->cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE | MLX5_USER_CMDS_SUPP_UHW_CREATE_AH;
        m->log_uar_size = 12;
        m->num_uars_per_page = 1;
        return 0;
    }
    case IB_USER_VERBS_CMD_QUERY_PORT: {
        struct ib_uverbs_query_port_resp *r = o;
        memset(o, 0, sizeof *r);
        r->state = 4;
        r->max_mtu = 5;
        r->active_mtu = 3;
        r->gid_tbl_len = 1;
        r->pkey_tbl_len = 1;
        r->max_msg_sz = 1 << 30;
        r->link_layer = 2;
        return 0;
    }
    case IB_USER_VERBS_CMD_ALLOC_PD:
        memset(o, 0, room);
        ((uint32_t *)o)[0] = ++handles;
        ((uint32_t *)o)[1] = 0x42;
        return 0;
    case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
        if (pipe2((int *)events, O_CLOEXEC | O_NONBLOCK))
            fail("pipe");
        *(uint32_t *)o = events[0];
        return 0;
    case IB_USER_VERBS_CMD_ALLOC_MW: {
        struct ib_uverbs_alloc_mw_resp *r = o;
        r->mw_handle = ++handles;
        r->rkey = 0x5000 + (mw_count++ << 8);
        return 0;
    }
    case IB_USER_VERBS_CMD_CREATE_AH: {
        const struct ib_uverbs_create_ah *c = (const void *)q;
        print(h->command, h, q, bytes, offsetof(struct ib_uverbs_create_ah, user_handle), 0, 0);
        (void)c;
        memset(o, 0, room);
        *(uint32_t *)o = ++handles;
        struct mlx5_ib_create_ah_resp *m = (void *)((uint8_t *)o + sizeof(struct ib_uverbs_create_ah_resp));
        m->response_length = sizeof *m;
        for (int i = 0; i < 6; i++)
            m->dmac[i] = 0x20 + ah_count + i;
        ah_count++;
        return 0;
    }
    case IB_USER_VERBS_CMD_CREATE_CQ: {
        const struct ib_uverbs_create_cq *c = (const void *)q;
        const struct mlx5_ib_create_cq *d = (const void *)(c + 1);
        if (printing) {
            struct ib_uverbs_create_cq copy = *c; /* the number of a file differs, too */
            copy.comp_channel = copy.comp_channel >= 0 ? 0 : -1;
            uint8_t all[256];
            memcpy(all, &copy, sizeof copy);
            memcpy(all + sizeof copy, d, bytes - sizeof copy);
            print(h->command, h, all, bytes, offsetof(struct ib_uverbs_create_cq, user_handle), sizeof copy, 2);
        }
        struct cq *made = &cqs[cq_count];
        *made = (struct cq){ ++handles, c->cqe + 1, 0, 0, (uint8_t *)(uintptr_t)d->buf_addr };
        watch(handles, made->buffer, (size_t)made->entries * CQE_BYTES, "cq", cq_count, ".buf");
        watch(handles, (uint8_t *)(uintptr_t)d->db_addr, 8, "cq", cq_count, ".db");
        memset(o, 0, room);
        struct ib_uverbs_create_cq_resp *r = o;
        r->cq_handle = handles;
        r->cqe = c->cqe;
        ((struct mlx5_ib_create_cq_resp *)(r + 1))->cqn = 0x70 + cq_count;
        cq_count++;
        return 0;
    }
    case IB_USER_VERBS_CMD_RESIZE_CQ: {
        const struct ib_uverbs_resize_cq *c = (const void *)q;
        const struct mlx5_ib_resize_cq *d = (const void *)(c + 1);
        print(h->command, h, q, bytes, 0, sizeof *c, 1);
        struct cq *found = cq_of(c->cq_handle);
        uint8_t marker[CQE_BYTES] = { 0 };
        marker[CQE_BYTES - 1] = CQE_RESIZE << 4;
        put(found, marker);
        found->buffer = (uint8_t *)(uintptr_t)d->buf_addr;
        found->entries = c->cqe + 1;
        forget(found->handle, ".buf");
        watch(found->handle, found->buffer, (size_t)found->entries * CQE_BYTES, "cq", found - cqs, ".buf");
        ((struct ib_uverbs_resize_cq_resp *)o)->cqe = c->cqe;
        return 0;
    }
    case IB_USER_VERBS_CMD_CREATE_SRQ: {
        const struct ib_uverbs_create_srq *c = (const void *)q;
        const struct mlx5_ib_create_srq *d = (const void *)(c + 1);
        print(h->command, h, q, bytes, offsetof(struct ib_uverbs_create_srq, user_handle), sizeof *c, 2);
        size_t stride = 16;
        while (stride < 16 + 16 * c->max_sge || stride < 32)
            stride *= 2;
        ++handles;
        watch(handles, (uint8_t *)(uintptr_t)d->buf_addr, (c->max_wr + 1) * stride, "srq", srq_count, ".buf");
        watch(handles, (uint8_t *)(uintptr_t)d->db_addr, 4, "srq", srq_count, ".db");
        memset(o, 0, room);
        struct ib_uverbs_create_srq_resp *r = o;
        r->srq_handle = handles;
        r->max_wr = c->max_wr;
        r->max_sge = c->max_sge;
        ((struct mlx5_ib_create_srq_resp *)(r + 1))->srqn = 0x90 + srq_count;
        srq_count++;
        return 0;
    }
    case IB_USER_VERBS_CMD_CREATE_QP: {
        const struct ib_uverbs_create_qp *c = (const void *)q;
        const struct mlx5_ib_create_qp *d = (const void *)(c + 1);
        print(h->command, h, q, bytes, offsetof(struct ib_uverbs_create_qp, user_handle), sizeof *c, 2);
        size_t size = ((size_t)d->rq_wqe_count << d->rq_wqe_shift) + (size_t)d->sq_wqe_count * 64;
        ++handles;
        watch(handles, (uint8_t *)(uintptr_t)d->buf_addr, size, "qp", qp_count, ".buf");
        watch(handles, (uint8_t *)(uintptr_t)d->db_addr, 8, "qp", qp_count, ".db");
        memset(o, 0, room);
        struct ib_uverbs_create_qp_resp *r = o;
        r->qp_handle = handles;
        r->qpn = 0x120 + qp_count;
        r->max_send_wr = c->max_send_wr;
        r->max_recv_wr = c->max_recv_wr;
        r->max_send_sge = c->max_send_sge;
        r->max_recv_sge = c->max_recv_sge;
        r->max_inline_data = c->max_inline_data;
        ((struct mlx5_ib_create_qp_resp *)(r + 1))->bfreg_index = 4 + 3 * qp_count;
        qp_count++;
        return 0;
    }
    case IB_USER_VERBS_CMD_MODIFY_QP: {
        if (printing)
            printf("command 26 state %u\n", ((const struct ib_uverbs_modify_qp *)q)->qp_state);
        return 0;
    }
    case IB_USER_VERBS_CMD_DESTROY_CQ: {
        const struct ib_uverbs_destroy_cq *c = (const void *)q;
        unsigned reported = cq_of(c->cq_handle)->events;
        forget(c->cq_handle, NULL);
        memset(o, 0, room);
        ((struct ib_uverbs_destroy_cq_resp *)o)->comp_events_reported = reported;
        return 0;
    }
    case IB_USER_VERBS_CMD_DESTROY_QP:
        forget(((const struct ib_uverbs_destroy_qp *)q)->qp_handle, NULL);
        memset(o, 0, room);
        return 0;
    case IB_USER_VERBS_CMD_DESTROY_SRQ:
        forget(((const struct ib_uverbs_destroy_srq *)q)->srq_handle, NULL);
        memset(o, 0, room);
        return 0;
    case IB_USER_VERBS_CMD_DESTROY_AH:
    case IB_USER_VERBS_CMD_DEALLOC_PD:
    case IB_USER_VERBS_CMD_DEALLOC_MW:
        return 0;
    default:
        return -EOPNOTSUPP;
    }
}

/* ---- system calls ---- */

static int is_device(int fd)
{
    return fd >= 0 && (unsigned)fd == device;
}

static int open_device(void)
{
    handles = cq_count = qp_count = srq_count = mw_count = ah_count = pages = area_count = 0;
    device = eventfd(0, EFD_CLOEXEC);
    return device;
}

#define OPEN(NAME)                                                                                                     \
    int NAME(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        if (!strcmp(path, DEVICE))                                                                                     \
            return open_device();                                                                                      \
        va_list a;                                                                                                     \
        va_start(a, flags);                                                                                            \
        int mode = va_arg(a, int);                                                                                     \
        va_end(a);                                                                                                     \
        int (*f)(const char *, int, ...) = next(#NAME);                                                                \
        return f(path, flags, mode);                                                                                   \
    }
OPEN(open)
OPEN(open64)

static void is_character_device(struct stat *s)
{
    memset(s, 0, sizeof *s);
    s->st_mode = S_IFCHR | 0600;
    s->st_rdev = NUMBER;
}

#define STAT(NAME, STRUCT)                                                                                             \
    int NAME(const char *path, struct STRUCT *s)                                                                       \
    {                                                                                                                  \
        if (!strcmp(path, DEVICE)) {                                                                                   \
            is_character_device((struct stat *)s);                                                                     \
            return 0;                                                                                                  \
        }                                                                                                              \
        int (*f)(const char *, struct STRUCT *) = next(#NAME);                                                         \
        return f(path, s);                                                                                             \
    }
STAT(stat, stat)
STAT(stat64, stat64)

#define FSTAT(NAME, STRUCT)                                                                                            \
    int NAME(int fd, struct STRUCT *s)                                                                                 \
    {                                                                                                                  \
        if (is_device(fd)) {                                                                                           \
            is_character_device((struct stat *)s);                                                                     \
            return 0;                                                                                                  \
        }                                                                                                              \
        int (*f)(int, struct STRUCT *) = next(#NAME);                                                                  \
        return f(fd, s);                                                                                               \
    }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

int ioctl(int fd, unsigned long request, ...)
{
    va_list a;
    va_start(a, request);
    void *argument = va_arg(a, void *);
    va_end(a);
    if (is_device(fd)) {
        errno = ENOTTY;
        return -1;
    }
    int (*f)(int, unsigned long, ...) = next("ioctl");
    return f(fd, request, argument);
}

#define MMAP(NAME)                                                                                                     \
    void *NAME(void *address, size_t length, int protection, int flags, int fd, off_t offset)                          \
    {                                                                                                                  \
        void *(*f)(void *, size_t, int, int, int, off_t) = next(#NAME);                                                \
        if (!is_device(fd) || flags & MAP_ANONYMOUS)                                                                   \
            return f(address, length, protection, flags, fd, offset);                                                  \
        void *page = f(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);                       \
        printf("map %lx %zu\n", (unsigned long)offset / PAGE, length);                                                 \
        watch(0, page, PAGE, "uar", pages++, "");                                                                      \
        return page;                                                                                                   \
    }
MMAP(mmap)
MMAP(mmap64)

ssize_t write(int fd, const void *buf, size_t n)
{
    if (!is_device(fd)) {
        ssize_t (*f)(int, const void *, size_t) = next("write");
        return f(fd, buf, n);
    }
    int result = answer(buf, n);
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return n;
}
