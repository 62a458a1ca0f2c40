// SPDX-License-Identifier: Apache-2.0
/// Random walks over two connected queue pairs, with a model that knows what comes of each step. See docs/walks.md.
@NullMarked
package io.verbs4j.tests.walks;

import org.jspecify.annotations.NullMarked;
