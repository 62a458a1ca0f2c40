// SPDX-License-Identifier: Apache-2.0
/// Events for Java's Flight Recorder, all off until a recording asks for them. All that touches the module `jdk.jfr`, which not
/// every program has, is here, behind [FlightRecords].
@NullMarked
package io.verbs4j.abi.jfr;

import org.jspecify.annotations.NullMarked;
