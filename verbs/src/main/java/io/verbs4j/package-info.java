// SPDX-License-Identifier: Apache-2.0
/// RDMA verbs: the objects that programs open and close. Every program starts at [Devices]. The values that programs
/// pass and receive are in `io.verbs4j.types`.
///
/// Stability: API.
@NullMarked
package io.verbs4j;

import org.jspecify.annotations.NullMarked;
