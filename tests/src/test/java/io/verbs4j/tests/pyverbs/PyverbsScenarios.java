// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import io.verbs4j.tests.support.DeviceTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A class of device tests with scenarios of one file of rdma-core's Python suite.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DeviceTest
@ExtendWith(ScenarioReport.class)
@interface PyverbsScenarios {}
