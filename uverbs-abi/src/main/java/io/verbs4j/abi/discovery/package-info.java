// SPDX-License-Identifier: Apache-2.0
/// Lists the RDMA devices: from sysfs, and the drivers' numbers from RDMA netlink.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.discovery;

import org.jspecify.annotations.NullMarked;
