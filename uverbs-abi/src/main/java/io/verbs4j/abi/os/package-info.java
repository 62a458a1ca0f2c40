// SPDX-License-Identifier: Apache-2.0
/// The only place with restricted foreign-function calls: the system calls, errno and mappings.
///
/// Results are those of the kernel itself, not of the C library: zero or a count on success, a negated errno on
/// failure. Higher layers interpret errors.
@NullMarked
package io.verbs4j.abi.os;

import org.jspecify.annotations.NullMarked;
