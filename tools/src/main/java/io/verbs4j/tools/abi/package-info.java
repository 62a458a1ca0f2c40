// SPDX-License-Identifier: Apache-2.0
/// The command `verbs abi`.
@NullMarked
package io.verbs4j.tools.abi;

import org.jspecify.annotations.NullMarked;
