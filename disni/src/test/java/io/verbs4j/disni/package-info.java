// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.verbs4j.disni;

import org.jspecify.annotations.NullMarked;
