// SPDX-License-Identifier: Apache-2.0
/// Random walks over identifiers of the connection manager, with a model of their states beside them.
@NullMarked
package io.verbs4j.tests.cm.walks;

import org.jspecify.annotations.NullMarked;
