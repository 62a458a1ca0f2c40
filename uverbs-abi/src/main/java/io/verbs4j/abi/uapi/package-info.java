// SPDX-License-Identifier: Apache-2.0
/// The kernel's uapi headers in Java: the C structs that several commands use, and the numbers of objects, methods,
/// attributes, commands and drivers. The structs of a single command are described in the command's class.
///
/// Names of fields and constants are the C names, so that header and class can be compared. A test compares each layout
/// and number with a C compiler's view of the headers.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.uapi;

import org.jspecify.annotations.NullMarked;
