// SPDX-License-Identifier: Apache-2.0
/// Packets that cross the wire while a program of ours runs, and the work requests and completions that they belong to.
@NullMarked
package io.verbs4j.tools.capture;

import org.jspecify.annotations.NullMarked;
