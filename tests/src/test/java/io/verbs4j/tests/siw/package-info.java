// SPDX-License-Identifier: Apache-2.0
/// Tests of the provider for software iWARP on a real siw.
@NullMarked
package io.verbs4j.tests.siw;

import org.jspecify.annotations.NullMarked;
