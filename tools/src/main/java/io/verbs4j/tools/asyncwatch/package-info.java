// SPDX-License-Identifier: Apache-2.0
/// `verbs asyncwatch`: asynchronous events as they happen.
@NullMarked
package io.verbs4j.tools.asyncwatch;

import org.jspecify.annotations.NullMarked;
