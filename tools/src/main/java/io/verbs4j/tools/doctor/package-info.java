// SPDX-License-Identifier: Apache-2.0
/// Looks for what keeps RDMA from working on this machine.
@NullMarked
package io.verbs4j.tools.doctor;

import org.jspecify.annotations.NullMarked;
