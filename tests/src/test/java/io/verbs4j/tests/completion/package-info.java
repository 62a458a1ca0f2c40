// SPDX-License-Identifier: Apache-2.0
/// Completion queues and completion channels.
@NullMarked
package io.verbs4j.tests.completion;

import org.jspecify.annotations.NullMarked;
