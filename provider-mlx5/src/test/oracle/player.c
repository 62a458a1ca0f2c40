// SPDX-License-Identifier: Apache-2.0
/*
 * Plays scripts on unmodified libibverbs and libmlx5, and prints what the device would see after each step: requests to the
 * kernel, changes in queue memory, doorbell records and doorbell pages, and completions as polled. Reads the scripts from its
 * standard input; each starts with "device". Numbers as in C.
 */
#define _GNU_SOURCE
#include "kernel.h"
#include <endian.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 16
#define BATCH 64
#define ELEMENTS 64

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cqs[MANY];
static struct ibv_srq *srqs[MANY];
static struct ibv_qp *qps[MANY];
static struct ibv_ah *ahs[MANY];
static struct ibv_mw *mws[MANY];

static struct ibv_send_wr sends[BATCH];
static struct ibv_recv_wr receives[BATCH];
static struct ibv_sge elements[BATCH][ELEMENTS];
static struct ibv_mr regions[BATCH];
static uint8_t payloads[BATCH][2048];

static char line[8192];
static char *cursor;

static void fail(const char *what)
{
    fprintf(stderr, "player: %s: %s\n", what, line);
    exit(4);
}

static int next_line(void)
{
    cursor = line;
    return fgets(line, sizeof line, stdin) != NULL;
}

static char *word(void)
{
    char *start = strtok(cursor, " \n");
    cursor = NULL;
    if (!start)
        fail("a word is missing");
    return start;
}

static uint64_t number(void)
{
    return strtoull(word(), NULL, 0);
}

static void close_device(void)
{
    if (!context)
        return;
    kernel_print(0);
    for (int i = 0; i < MANY; i++)
        if (qps[i])
            ibv_destroy_qp(qps[i]);
    for (int i = 0; i < MANY; i++) {
        if (srqs[i])
            ibv_destroy_srq(srqs[i]);
        if (ahs[i])
            ibv_destroy_ah(ahs[i]);
        if (mws[i])
            ibv_dealloc_mw(mws[i]);
        if (cqs[i])
            ibv_destroy_cq(cqs[i]);
    }
    if (channel)
        ibv_destroy_comp_channel(channel);
    ibv_dealloc_pd(pd);
    ibv_close_device(context);
    memset(qps, 0, sizeof qps);
    memset(srqs, 0, sizeof srqs);
    memset(ahs, 0, sizeof ahs);
    memset(mws, 0, sizeof mws);
    memset(cqs, 0, sizeof cqs);
    context = NULL;
    channel = NULL;
}

static void open_device(unsigned max_srq_wr)
{
    close_device();
    kernel_start(max_srq_wr);
    int n;
    struct ibv_device **list = ibv_get_device_list(&n);
    if (n != 1)
        fail("libibverbs sees no mlx5 device");
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    if (!context)
        fail("open");
    pd = ibv_alloc_pd(context);
    channel = ibv_create_comp_channel(context);
    if (!pd || !channel)
        fail("protection domain or channel");
    kernel_print(1);
}

static void create_qp(void)
{
    static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
    unsigned i = number();
    struct ibv_qp_init_attr a = { .qp_type = types[number()] };
    a.send_cq = cqs[number()];
    a.recv_cq = cqs[number()];
    int srq = (int)strtol(word(), NULL, 0);
    a.srq = srq < 0 ? NULL : srqs[srq];
    a.cap.max_send_wr = number();
    a.cap.max_recv_wr = number();
    a.cap.max_send_sge = number();
    a.cap.max_recv_sge = number();
    a.cap.max_inline_data = number();
    a.sq_sig_all = number();
    qps[i] = ibv_create_qp(pd, &a);
    if (!qps[i])
        fail("create queue pair");
    printf("qp send %u receive %u elements %u %u inline %u\n", a.cap.max_send_wr, a.srq ? 0 : a.cap.max_recv_wr,
           a.cap.max_send_sge, a.srq ? 0 : a.cap.max_recv_sge, a.cap.max_inline_data);
}

static void modify(void)
{
    struct ibv_qp *qp = qps[number()];
    struct ibv_qp_attr a = { .qp_state = number(), .port_num = 1, .path_mtu = 3, .ah_attr = { .is_global = 1, .port_num = 1 } };
    int mask = IBV_QP_STATE;
    if (ibv_modify_qp(qp, &a, mask))
        fail("modify queue pair");
}

static void create_ah(void)
{
    unsigned i = number();
    struct ibv_ah_attr a = { .is_global = 1, .port_num = 1 };
    a.grh.sgid_index = number();
    a.grh.flow_label = number();
    a.grh.hop_limit = number();
    a.grh.traffic_class = number();
    a.sl = number();
    a.grh.dgid.global.subnet_prefix = htobe64(number());
    a.grh.dgid.global.interface_id = htobe64(number());
    ahs[i] = ibv_create_ah(pd, &a);
    if (!ahs[i])
        fail("create address handle");
}

static int read_elements(struct ibv_sge *list)
{
    int n = number();
    if (n > ELEMENTS)
        fail("too many elements");
    for (int i = 0; i < n; i++) {
        list[i].addr = number();
        list[i].length = number();
        list[i].lkey = number();
    }
    return n;
}

static int read_payload(int at)
{
    unsigned length = number(), seed = number();
    if (length > sizeof payloads[0])
        fail("payload");
    for (unsigned k = 0; k < length; k++)
        payloads[at][k] = seed + 7 * k;
    elements[at][0] = (struct ibv_sge){ (uintptr_t)payloads[at], length, 0 };
    return 1;
}

static void read_send(int at)
{
    if (!next_line())
        fail("a work request is missing");
    struct ibv_send_wr *w = &sends[at];
    *w = (struct ibv_send_wr){ .sg_list = elements[at] };
    char kind = *word();
    if (kind == 'l' || kind == 'b')
        w->opcode = kind == 'l' ? IBV_WR_LOCAL_INV : IBV_WR_BIND_MW;
    else
        w->opcode = number();
    w->wr_id = number();
    w->send_flags = number();
    switch (kind) {
    case 'w':
    case 'i':
        w->wr.rdma.remote_addr = number();
        w->wr.rdma.rkey = number();
        w->imm_data = number();
        if (w->opcode != IBV_WR_SEND_WITH_INV)
            w->imm_data = htobe32(w->imm_data);
        break;
    case 'd':
    case 'e':
        w->wr.ud.ah = ahs[number()];
        w->wr.ud.remote_qpn = number();
        w->wr.ud.remote_qkey = number();
        w->imm_data = htobe32(number());
        break;
    case 'a':
        elements[at][0].addr = number();
        elements[at][0].lkey = number();
        elements[at][0].length = 8;
        w->num_sge = 1;
        w->wr.atomic.remote_addr = number();
        w->wr.atomic.rkey = number();
        w->wr.atomic.compare_add = number();
        w->wr.atomic.swap = number();
        return;
    case 'l':
        w->invalidate_rkey = number();
        return;
    case 'b':
        w->bind_mw.mw = mws[number()];
        w->bind_mw.rkey = number();
        regions[at].lkey = number();
        w->bind_mw.bind_info.mr = &regions[at];
        w->bind_mw.bind_info.addr = number();
        w->bind_mw.bind_info.length = number();
        w->bind_mw.bind_info.mw_access_flags = number();
        return;
    default:
        fail("unknown work request");
    }
    if (kind == 'i' || kind == 'e') {
        w->num_sge = read_payload(at);
        w->send_flags |= IBV_SEND_INLINE;
    } else {
        w->num_sge = read_elements(elements[at]);
    }
}

static void send_batch(void)
{
    struct ibv_qp *qp = qps[number()];
    int n = number();
    for (int i = 0; i < n; i++) {
        read_send(i);
        sends[i].next = i + 1 < n ? &sends[i + 1] : NULL;
    }
    struct ibv_send_wr *bad = NULL;
    int error = ibv_post_send(qp, sends, &bad);
    printf("posted %d\n", error ? (int)(bad - sends) : n);
}

static int read_receives(void)
{
    int n = number();
    for (int i = 0; i < n; i++) {
        if (!next_line())
            fail("a receive is missing");
        word();
        receives[i].wr_id = number();
        receives[i].sg_list = elements[i];
        receives[i].num_sge = read_elements(elements[i]);
        receives[i].next = i + 1 < n ? &receives[i + 1] : NULL;
    }
    return n;
}

static void receive_batch(int shared)
{
    unsigned i = number();
    int n = read_receives();
    struct ibv_recv_wr *bad = NULL;
    int error = shared ? ibv_post_srq_recv(srqs[i], receives, &bad) : ibv_post_recv(qps[i], receives, &bad);
    printf("posted %d\n", error ? (int)(bad - receives) : n);
}

static void complete(void)
{
    unsigned cq = number();
    const char *hex = word();
    uint8_t bytes[64];
    for (int i = 0; i < 64; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1)
            fail("bytes of a completion");
        bytes[i] = value;
    }
    kernel_complete(cq, bytes);
}

static void poll_one(struct ibv_cq *cq, int *left)
{
    struct ibv_wc wc;
    memset(&wc, 0, sizeof wc);
    int n = ibv_poll_cq(cq, 1, &wc);
    if (n < 0)
        fail("poll");
    if (n == 0) {
        *left = 0;
        return;
    }
    --*left;
    printf("wc %llx status %u qp %x", (unsigned long long)wc.wr_id, wc.status, wc.qp_num);
    if (wc.status) {
        printf(" vendor %x\n", wc.vendor_err);
        return;
    }
    printf(" opcode %u", wc.opcode);
    if (wc.opcode & IBV_WC_RECV) {
        printf(" bytes %u flags %u source %x pkey %u lid %u sl %u path %u", wc.byte_len, wc.wc_flags, wc.src_qp,
               wc.pkey_index, wc.slid, wc.sl, wc.dlid_path_bits);
        if (wc.wc_flags & IBV_WC_WITH_IMM)
            printf(" immediate %x", be32toh(wc.imm_data));
        if (wc.wc_flags & IBV_WC_WITH_INV)
            printf(" key %x", wc.invalidated_rkey);
    } else if (wc.opcode == IBV_WC_RDMA_READ || wc.opcode == IBV_WC_COMP_SWAP || wc.opcode == IBV_WC_FETCH_ADD) {
        printf(" bytes %u", wc.byte_len);
    }
    putchar('\n');
}

static void poll_queue(void)
{
    struct ibv_cq *cq = cqs[number()];
    for (int left = number(); left > 0;)
        poll_one(cq, &left);
}

static void event(void)
{
    unsigned i = number();
    kernel_event(i, (uintptr_t)cqs[i]);
    struct ibv_cq *cq;
    void *user;
    if (ibv_get_cq_event(channel, &cq, &user) || cq != cqs[i])
        fail("event");
    ibv_ack_cq_events(cq, 1);
}

static void step(const char *what)
{
    if (!strcmp(what, "device")) {
        printf("device\n");
        open_device(number());
    } else if (!strcmp(what, "cq")) {
        unsigned i = number();
        cqs[i] = ibv_create_cq(context, number(), NULL, channel, 0);
        if (!cqs[i])
            fail("create completion queue");
        printf("cq %d\n", cqs[i]->cqe);
    } else if (!strcmp(what, "srq")) {
        unsigned i = number();
        struct ibv_srq_init_attr a = { 0 };
        a.attr.max_wr = number();
        a.attr.max_sge = number();
        srqs[i] = ibv_create_srq(pd, &a);
        if (!srqs[i])
            fail("create shared receive queue");
        printf("srq %u elements %u\n", a.attr.max_wr, a.attr.max_sge);
    } else if (!strcmp(what, "qp")) {
        create_qp();
    } else if (!strcmp(what, "ah")) {
        create_ah();
    } else if (!strcmp(what, "mw")) {
        unsigned i = number();
        mws[i] = ibv_alloc_mw(pd, number());
        if (!mws[i])
            fail("allocate memory window");
    } else if (!strcmp(what, "state")) {
        modify();
    } else if (!strcmp(what, "send")) {
        send_batch();
    } else if (!strcmp(what, "recv")) {
        receive_batch(0);
    } else if (!strcmp(what, "srecv")) {
        receive_batch(1);
    } else if (!strcmp(what, "cqe")) {
        complete();
    } else if (!strcmp(what, "poll")) {
        poll_queue();
    } else if (!strcmp(what, "arm")) {
        struct ibv_cq *cq = cqs[number()];
        if (ibv_req_notify_cq(cq, number()))
            fail("arm");
    } else if (!strcmp(what, "event")) {
        event();
    } else if (!strcmp(what, "resize")) {
        struct ibv_cq *cq = cqs[number()];
        if (ibv_resize_cq(cq, number()))
            fail("resize");
        printf("cq %d\n", cq->cqe);
    } else if (!strcmp(what, "drop")) {
        unsigned i = number();
        if (ibv_destroy_qp(qps[i]))
            fail("destroy queue pair");
        qps[i] = NULL;
    } else {
        fail("unknown step");
    }
    kernel_show();
}

int main(void)
{
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
    setenv("MLX5_SHUT_UP_BF", "1", 1);
    setenv("MLX5_DEBUG_FILE", "/dev/null", 1);
    while (next_line())
        step(word());
    close_device();
    kernel_stop();
    return 0;
}
