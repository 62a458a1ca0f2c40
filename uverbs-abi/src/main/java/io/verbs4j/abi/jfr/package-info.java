// SPDX-License-Identifier: Apache-2.0
/// Events for Java's Flight Recorder, off by default. All uses of the optional module `jdk.jfr` are here, behind
/// [FlightRecords].
@NullMarked
package io.verbs4j.abi.jfr;

import org.jspecify.annotations.NullMarked;
