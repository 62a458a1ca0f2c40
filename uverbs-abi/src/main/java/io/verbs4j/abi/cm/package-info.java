// SPDX-License-Identifier: Apache-2.0
/// The commands of the RDMA connection manager's device, `/dev/infiniband/rdma_cm`: one class per command.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.cm;

import org.jspecify.annotations.NullMarked;
