// SPDX-License-Identifier: Apache-2.0
/// The command line `verbs`.
@NullMarked
package io.verbs4j.tools;

import org.jspecify.annotations.NullMarked;
