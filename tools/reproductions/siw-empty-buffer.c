// SPDX-License-Identifier: Apache-2.0
/*
 * siw dereferences a null pointer when the list of a send has an empty buffer before other data.
 *
 * siw_check_sgl_tx (siw_qp_tx.c) looks up memory only for buffers with bytes ("do not check stag for a zero length sge"). siw_tx_hdt then
 * accesses wqe->mem[] of every buffer, including the empty one, whose entry is null. The kernel crashes.
 *
 * `tools/lab stops siw-empty-buffer` runs it in a virtual machine of its own. By hand, it needs librdmacm-dev, and two siw devices whose
 * interfaces reach each other:
 *     gcc -o siw-empty-buffer tools/reproductions/siw-empty-buffer.c -lrdmacm -libverbs
 *     tools/lab run --siw -- ./siw-empty-buffer 10.9.1.2
 * The exit code is 0 if the defect is not present; otherwise the program does not end.
 */
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char memory[4096];

static void need(int well, const char *what)
{
    if (!well) {
        perror(what);
        exit(2);
    }
}

static struct rdma_cm_id *endpoint(const char *address, int passive)
{
    struct rdma_addrinfo hints = { .ai_flags = passive ? RAI_PASSIVE : 0, .ai_port_space = RDMA_PS_TCP }, *found;
    struct ibv_qp_init_attr queues = { .cap = { 4, 4, 3, 1, 0 }, .sq_sig_all = 1 };
    struct rdma_cm_id *id;
    need(!rdma_getaddrinfo(address, "7471", &hints, &found), "address");
    need(!rdma_create_ep(&id, found, NULL, &queues), "endpoint");
    return id;
}

static int serve(const char *address, int ready)
{
    struct rdma_cm_id *listener = endpoint(address, 1), *peer;
    struct ibv_wc done;
    need(!rdma_listen(listener, 1), "listen");
    need(write(ready, ".", 1) == 1, "ready");
    need(!rdma_get_request(listener, &peer), "request");
    struct ibv_mr *region = rdma_reg_msgs(peer, memory, sizeof memory);
    need(region && !rdma_post_recv(peer, NULL, memory, sizeof memory, region), "receive");
    need(!rdma_accept(peer, NULL), "accept");
    need(rdma_get_recv_comp(peer, &done) == 1, "completion");
    printf("received %u bytes\n", done.byte_len);
    return done.byte_len != 300;
}

int main(int count, char **arguments)
{
    int ready[2], status;
    char byte;
    if (count != 2) {
        fprintf(stderr, "usage: siw-empty-buffer ADDRESS\n");
        return 2;
    }
    need(!pipe(ready), "pipe");
    if (!fork())
        return serve(arguments[1], ready[1]);
    need(read(ready[0], &byte, 1) == 1, "server");
    struct rdma_cm_id *id = endpoint(arguments[1], 0);
    need(!rdma_connect(id, NULL), "connect");
    struct ibv_mr *region = rdma_reg_msgs(id, memory, sizeof memory);
    need(region != NULL, "region");
    uint64_t at = (uintptr_t)memory;
    struct ibv_sge buffers[] = { { at, 50, region->lkey }, { at, 0, region->lkey }, { at, 250, region->lkey } };
    puts("posting 50 bytes, none, and 250 bytes");
    fflush(stdout);
    need(!rdma_post_sendv(id, NULL, buffers, 3, 0), "send");
    need(wait(&status) > 0, "server");
    return WEXITSTATUS(status);
}
