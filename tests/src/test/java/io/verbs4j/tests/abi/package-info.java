// SPDX-License-Identifier: Apache-2.0
/// Our struct layouts against the running kernel's type information.
@NullMarked
package io.verbs4j.tests.abi;

import org.jspecify.annotations.NullMarked;
