// SPDX-License-Identifier: Apache-2.0
/// Tests of what streams keep to themselves.
@NullMarked
package io.verbs4j.cm.stream;

import org.jspecify.annotations.NullMarked;
