// SPDX-License-Identifier: Apache-2.0
/// The kernel's uapi headers in Java: one class per C struct, and the numbers of objects, methods, attributes, commands and
/// drivers.
///
/// Names of structs, fields and constants are the C names, so that header and class can be read side by side. Each layout
/// and each number is compared with what a C compiler makes of the headers.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.abi.uapi;

import org.jspecify.annotations.NullMarked;
