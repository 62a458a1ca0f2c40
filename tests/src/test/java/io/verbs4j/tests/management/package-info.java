// SPDX-License-Identifier: Apache-2.0
/// Tests what a program reports of its queues while it runs: the management interface and flight recordings.
@NullMarked
package io.verbs4j.tests.management;

import org.jspecify.annotations.NullMarked;
