// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import java.net.InetSocketAddress;

/// `rping` between Java and C over iWARP.
@Siw.Test
@Needs.OneKernel
class RpingOverSiwIT extends RpingIT {
    @Override
    InetSocketAddress address() {
        return Siw.right();
    }
}
