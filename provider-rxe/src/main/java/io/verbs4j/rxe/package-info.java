// SPDX-License-Identifier: Apache-2.0
/// The provider for the kernel's software RoCE driver, `rdma_rxe`.
@NullMarked
package io.verbs4j.rxe;

import org.jspecify.annotations.NullMarked;
