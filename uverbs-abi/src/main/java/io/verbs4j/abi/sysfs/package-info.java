// SPDX-License-Identifier: Apache-2.0
/// Reads what the kernel shows of RDMA devices in `/sys` (Documentation/ABI/stable/sysfs-class-infiniband). Plain files, no
/// system calls of our own.
@NullMarked
package io.verbs4j.abi.sysfs;

import org.jspecify.annotations.NullMarked;
