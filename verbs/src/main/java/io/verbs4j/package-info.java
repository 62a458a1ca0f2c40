// SPDX-License-Identifier: Apache-2.0
/// RDMA verbs: the objects that are opened and closed. Every program starts at [Devices]. The values that it reads and
/// passes are in `io.verbs4j.types`.
///
/// Stability: API.
@NullMarked
package io.verbs4j;

import org.jspecify.annotations.NullMarked;
