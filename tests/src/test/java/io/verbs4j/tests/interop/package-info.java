// SPDX-License-Identifier: Apache-2.0
/// Our command line against the C programs of rdma-core.
@NullMarked
package io.verbs4j.tests.interop;

import org.jspecify.annotations.NullMarked;
