// SPDX-License-Identifier: Apache-2.0
/// Classes that replace those of the same names in DiSNI.
///
/// Stability: may change.
@NullMarked
package com.ibm.disni.util;

import org.jspecify.annotations.NullMarked;
