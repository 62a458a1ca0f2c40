// SPDX-License-Identifier: Apache-2.0
/// The provider for software RoCE (`rdma_rxe`).
@SuppressWarnings("module") // the modules named in the qualified export are compiled later
module io.verbs4j.rxe {
    requires io.verbs4j.spi;
    requires static org.jspecify;

    exports io.verbs4j.rxe to
            io.verbs4j.simulator,
            io.verbs4j.tools;

    provides io.verbs4j.spi.ProviderFactory with
            io.verbs4j.rxe.RxeProviderFactory;
}
