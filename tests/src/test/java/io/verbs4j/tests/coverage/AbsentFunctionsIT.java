// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.NotSupportedException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What rxe lacks is refused by the name of the feature, before the kernel is asked.
@DeviceTest
class AbsentFunctionsIT {
    @Test
    @Covers({
            "ibv_query_rt_values_ex", "ibv_alloc_parent_domain", "ibv_alloc_td", "ibv_dealloc_td", "ibv_reg_dmabuf_mr",
            "ibv_alloc_dm", "ibv_free_dm", "ibv_reg_dm_mr", "ibv_memcpy_to_dm", "ibv_memcpy_from_dm",
            "ibv_dm_export_dmabuf_fd", "ibv_import_dm", "ibv_unimport_dm", "ibv_alloc_buf", "ibv_free_buf",
            "ibv_reg_buf_mr", "ibv_export_buf_dmabuf_fd", "ibv_wc_read_completion_ts",
            "ibv_wc_read_completion_wallclock_ns", "ibv_wc_read_flow_tag", "ibv_wc_read_tm_info", "ibv_post_srq_ops",
            "ibv_modify_qp_rate_limit", "ibv_open_xrcd", "ibv_close_xrcd", "ibv_open_qp", "ibv_wr_send_tso",
            "ibv_wr_set_xrc_srqn", "ibv_create_flow", "ibv_destroy_flow", "ibv_create_flow_action_esp",
            "ibv_modify_flow_action_esp", "ibv_destroy_flow_action", "ibv_create_wq", "ibv_modify_wq", "ibv_destroy_wq",
            "ibv_post_wq_recv", "ibv_create_rwq_ind_table", "ibv_destroy_rwq_ind_table", "ibv_create_counters",
            "ibv_destroy_counters", "ibv_attach_counters_point_flow", "ibv_read_counters", "ibv_query_comp_cntr_caps",
            "ibv_create_comp_cntr", "ibv_destroy_comp_cntr", "ibv_set_comp_cntr", "ibv_set_err_comp_cntr",
            "ibv_inc_comp_cntr", "ibv_inc_err_comp_cntr", "ibv_read_comp_cntr", "ibv_read_err_comp_cntr",
            "ibv_qp_attach_comp_cntr"
    })
    void areRefusedByTheirFeature() throws NoSuchMethodException {
        var absent = FunctionMap.entries()
                .stream()
                .filter(entry -> entry.missingFeature().isPresent())
                .collect(Collectors.toMap(FunctionMap.Entry::function, entry -> entry.missingFeature().orElseThrow()));
        var covers = AbsentFunctionsIT.class.getDeclaredMethod("areRefusedByTheirFeature").getAnnotation(Covers.class);
        assertThat(Arrays.asList(covers.value())).containsExactlyInAnyOrderElementsOf(absent.keySet());

        try (Context context = Rxe.open()) {
            absent.forEach((function, feature) -> {
                assertThat(context.supports(feature)).isFalse();
                assertThatThrownBy(() -> context.require(feature))
                        .isInstanceOf(NotSupportedException.class)
                        .hasMessageContainingAll(feature.name(), context.providerName());
                CoverageReport.absent(function, "rxe has no " + feature);
            });
        }
    }
}
