// SPDX-License-Identifier: Apache-2.0
/// Generates shell completion and manual pages from the commands themselves.
@NullMarked
package io.verbs4j.tools.manual;

import org.jspecify.annotations.NullMarked;
