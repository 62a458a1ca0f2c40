// SPDX-License-Identifier: Apache-2.0
/// The connection manager of a simulated kernel: `/dev/infiniband/rdma_cm`, with the states of drivers/infiniband/core/cma.c above and
/// those of cm.c below. Everything here is used by the thread that holds the simulation.
@NullMarked
package io.verbs4j.simulator.cm;

import org.jspecify.annotations.NullMarked;
