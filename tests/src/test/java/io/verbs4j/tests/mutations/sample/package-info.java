// SPDX-License-Identifier: Apache-2.0
/// Defects at random places of the compiled code, and what the tests make of them.
@NullMarked
package io.verbs4j.tests.mutations.sample;

import org.jspecify.annotations.NullMarked;
