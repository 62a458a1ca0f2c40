// SPDX-License-Identifier: Apache-2.0
/// The code that uses the module `java.management`, which may be missing at run time.
@NullMarked
package io.verbs4j.jmx;

import org.jspecify.annotations.NullMarked;
