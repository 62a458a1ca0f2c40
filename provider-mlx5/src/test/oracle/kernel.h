// SPDX-License-Identifier: Apache-2.0
/* What the script player and the measurement ask of the kernel that is not there. */
#ifndef VERBS4J_ORACLE_KERNEL_H
#define VERBS4J_ORACLE_KERNEL_H

#include <stdint.h>

/* Makes the tree in the place of sysfs, and names it to libibverbs. */
void kernel_start(unsigned max_srq_wr);

/* Whether requests are printed from now on. */
void kernel_print(int on);

/* Writes a completion of 64 bytes into the next slot of a completion queue; the owner bit is the device's business. */
void kernel_complete(unsigned cq, const uint8_t *bytes);

/* Where a completion queue's memory is, and how many entries it has. */
uint8_t *kernel_cq_memory(unsigned cq, unsigned *entries);

/* Prints what has changed in memory that the device reads, since the last call. */
void kernel_show(void);

/* The file that a completion channel reads from gets one event. */
void kernel_event(unsigned cq, uint64_t user_handle);

/* Removes the tree. */
void kernel_stop(void);

#endif
