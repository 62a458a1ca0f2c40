// SPDX-License-Identifier: Apache-2.0
/// The connection manager of a simulated kernel: `/dev/infiniband/rdma_cm`. An upper layer has the states of
/// drivers/infiniband/core/cma.c, a lower layer those of cm.c. Callers hold the simulation.
@NullMarked
package io.verbs4j.simulator.cm;

import org.jspecify.annotations.NullMarked;
