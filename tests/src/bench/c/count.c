// SPDX-License-Identifier: Apache-2.0
// A plugin of QEMU that counts what the guest's processors execute between two marks: instructions of programs and of the
// kernel, system calls, and how often each block of code ran. How often a loop runs that waits depends on what else the machine
// does; the rest does not. tools/lab bench --count loads it.
//
// Usage: -plugin count.so,folder=FOLDER
// At the n-th mark it writes FOLDER/n.tsv: for each block that has run since the mark before a line
// `ADDRESS INSTRUCTIONS HASH RUNS SYSTEM_CALL`. A block is a piece of code that QEMU translates as a whole, at most up to its first
// jump; the hash of its bytes distinguishes two programs' blocks at the same address. SYSTEM_CALL is -1 for most; for a block that
// makes one it is the call's number if the block itself loads that, as the C library's functions do, and -2 otherwise. mark.c makes
// the marks.
//
// The declarations are those of version 1 of QEMU's interface for plugins (qemu-plugin.h of QEMU 4.2 to 8.1), which Debian does
// not package.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

struct qemu_plugin_tb;
struct qemu_plugin_insn;

extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t id, struct qemu_plugin_tb *block));
extern void qemu_plugin_register_vcpu_tb_exec_cb(
        struct qemu_plugin_tb *block, void (*executed)(unsigned processor, void *data), int flags, void *data);
extern void qemu_plugin_register_vcpu_insn_exec_cb(
        struct qemu_plugin_insn *instruction, void (*executed)(unsigned processor, void *data), int flags, void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { PROCESSORS = 8, NO_REGISTERS = 0, NO_SYSTEM_CALL = -1, UNKNOWN_SYSTEM_CALL = -2 };
static const uint64_t KERNEL = UINT64_C(1) << 63; // x86-64: the upper half of all addresses
static const uint8_t MARK[] = {MARK_BYTES};

// Each processor counts in a place of its own, so that none needs an atomic.
struct block {
    uint64_t address, runs[PROCESSORS], seen;
    uint32_t instructions, hash;
    int system_call;
    struct block *next;
};

static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096];
static unsigned marks;

static void ran(unsigned processor, void *data) {
    ((struct block *) data)->runs[processor]++;
}

static uint64_t since_last_mark(struct block *block) {
    uint64_t runs = 0;
    for (int i = 0; i < PROCESSORS; i++)
        runs += block->runs[i];
    uint64_t fresh = runs - block->seen;
    block->seen = runs;
    return fresh;
}

static void marked(unsigned processor, void *data) {
    (void) processor, (void) data;
    char name[sizeof folder + 16];
    pthread_mutex_lock(&lock);
    snprintf(name, sizeof name, "%s/%u.tsv", folder, marks++);
    FILE *file = fopen(name, "w");
    if (file == NULL)
        abort();
    for (struct block *block = blocks; block != NULL; block = block->next) {
        uint64_t runs = since_last_mark(block);
        if (runs != 0)
            fprintf(file, "%lx %u %08x %lu %d\n", block->address, block->instructions, block->hash, runs, block->system_call);
    }
    if (fclose(file) != 0)
        abort();
    pthread_mutex_unlock(&lock);
}

// FNV-1a
static uint32_t hash(uint32_t before, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        before = (before ^ bytes[i]) * 16777619u;
    return before;
}

static void translated(uint64_t id, struct qemu_plugin_tb *translation) {
    (void) id;
    struct block *block = calloc(1, sizeof *block);
    if (block == NULL)
        abort();
    block->address = qemu_plugin_tb_vaddr(translation);
    block->instructions = qemu_plugin_tb_n_insns(translation);
    block->hash = 2166136261u;
    block->system_call = NO_SYSTEM_CALL;
    int number = UNKNOWN_SYSTEM_CALL;
    for (size_t i = 0; i < block->instructions; i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translation, i);
        const uint8_t *bytes = qemu_plugin_insn_data(instruction);
        size_t size = qemu_plugin_insn_size(instruction);
        block->hash = hash(block->hash, bytes, size);
        if (block->address & KERNEL)
            continue;
        if (size == 5 && bytes[0] == 0xb8) // mov $NUMBER,%eax
            memcpy(&number, bytes + 1, sizeof number);
        if (size == 2 && bytes[0] == 0x0f && bytes[1] == 0x05) // syscall
            block->system_call = number;
        if (size == sizeof MARK && memcmp(bytes, MARK, size) == 0)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, marked, NO_REGISTERS, NULL);
    }
    pthread_mutex_lock(&lock);
    block->next = blocks;
    blocks = block;
    pthread_mutex_unlock(&lock);
    qemu_plugin_register_vcpu_tb_exec_cb(translation, ran, NO_REGISTERS, block);
}

__attribute__((visibility("default"))) int qemu_plugin_install(
        uint64_t id, const void *info, int count, char **arguments) {
    (void) info;
    static const char option[] = "folder=";
    if (count != 1 || strncmp(arguments[0], option, sizeof option - 1) != 0
            || strlen(arguments[0]) - (sizeof option - 1) >= sizeof folder)
        return -1;
    strcpy(folder, arguments[0] + sizeof option - 1);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
