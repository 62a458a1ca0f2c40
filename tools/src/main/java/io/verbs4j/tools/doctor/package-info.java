// SPDX-License-Identifier: Apache-2.0
/// Finds problems that prevent RDMA on this machine.
@NullMarked
package io.verbs4j.tools.doctor;

import org.jspecify.annotations.NullMarked;
