// SPDX-License-Identifier: Apache-2.0
/// Reads RDMA devices in `/sys` (Documentation/ABI/stable/sysfs-class-infiniband). Plain files, without native system
/// calls.
@NullMarked
package io.verbs4j.abi.sysfs;

import org.jspecify.annotations.NullMarked;
