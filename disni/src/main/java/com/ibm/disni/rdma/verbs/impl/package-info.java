// SPDX-License-Identifier: Apache-2.0
/// Classes that replace DiSNI's classes of the same names.
///
/// Stability: may change.
@NullMarked
package com.ibm.disni.rdma.verbs.impl;

import org.jspecify.annotations.NullMarked;
