# SPDX-License-Identifier: Apache-2.0
"""What run.py proves, and the guards without which it must not hold. What the harnesses assume is in their headers."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Proof:
    name: str
    harness: str                                    # module and file
    method: str                                     # see run.py
    depth: int = 0                                  # cycles; 0 for an invariant
    parameters: dict = field(default_factory=dict)  # of the harness
    abstract: tuple = ()                            # modules replaced by abstract/*.sv
    labels: tuple = None                            # assertions, with *; None: all
    quick: bool = False                             # also in the normal tests
    limit: int = 600                                # seconds
    explain_depth: int = 20


@dataclass(frozen=True)
class Mutation:
    name: str
    proof: str                                      # name of the proof whose harness and parameters it runs
    property: str                                   # the assertions that must fail, with *
    file: str
    old: str                                        # text that is there once
    new: str
    depth: int = 20                                 # cycles within which it must
    quick: bool = False


CUT = ("fred_arbiter", "fred_claims")
EGRESS = ("places_*", "delivered_*", "close_*", "axis_*", "idle_*", "whole_*", "inv_*")
WHOLE = ("egress_*", "whole_*", "inv_*", "step_*", "abort_*")

PROOFS = [
    # ---- Egress. ----
    Proof("egress", "egress", "invariant", 0, {"Depth": 4}, (), EGRESS, quick=True),
    Proof("egress_depth3", "egress", "invariant", 0, {"Depth": 3}, (), EGRESS),
    Proof("egress_packets", "egress", "invariant", 0, {"Depth": 4, "Packets": 1}, (), EGRESS),
    Proof("egress_framed", "egress", "bounded", 11, {"Depth": 4}, (), ("framed_*",)),
    # ---- The launch decision. ----
    Proof("control_operands", "control", "invariant", 0, {"P": 4, "D": 4}, CUT, ("operands_*",)),
    Proof("control_three_operands", "control", "invariant", 0, {"P": 3, "D": 2}, CUT, ("operands_*",), quick=True),
    Proof("control_clash", "control", "invariant", 0, {"P": 4, "D": 4}, CUT, ("clash_*",)),
    Proof("control_once", "control", "invariant", 0, {"P": 3, "D": 3}, CUT, ("once_taken", "once_entered", "once_due")),
    Proof("control_named", "control", "bounded", 15, {"P": 3, "D": 2}, CUT, ("once_named",)),
    Proof("control_whole", "control", "invariant", 0, {"P": 3, "D": 2}, CUT, WHOLE),
    Proof("control_whole_sources", "control", "invariant", 0, {"P": 3, "D": 3, "Kinds": 640}, CUT, WHOLE),
    # ---- The choice. ----
    Proof("arbiter", "arbiter", "induction", 3, {"N": 4, "Wait": 2}, quick=True),
    Proof("arbiter_of_six", "arbiter", "bounded", 10, {"N": 6, "Wait": 3}),
    Proof("starve", "starve", "invariant", 0, {"P": 2, "D": 3, "Within": 3, "WithinS": 3}),
    # ---- Aborts. ----
    Proof("abort", "abort", "invariant", 0, {"Flight": 3}, quick=True),
    Proof("abort_of_seven", "abort", "invariant", 0, {"Flight": 7}),
    # ---- Ingress. ----
    Proof("ingress", "ingress", "induction", 1, {"Depth": 4, "Honours": 1}, (), ("places_*", "promise_*", "inv_*"),
          quick=True),
    Proof("ingress_any_source", "ingress", "induction", 1, {"Depth": 4, "Honours": 0}, (),
          ("places_*", "promise_*", "inv_*"), quick=True),
    Proof("ingress_delivered", "ingress", "invariant", 0, {"Depth": 4, "Honours": 1}, (), ("delivered_*", "inv_*")),
    # ---- The link. ----
    Proof("link", "link", "invariant", 0, {"Replay": 2, "Way": 1}, (), ("order_*", "room_*"), quick=True),
    Proof("link_of_four", "link", "invariant", 0, {"Replay": 4, "Way": 2}, (), ("order_*", "room_*")),
    Proof("link_progress", "link", "invariant", 0, {"Replay": 2, "Way": 1, "Timeout": 60, "Calm": 24}, (), ("progress_*",)),
    Proof("credit", "credit", "invariant", 0, {"Depth": 3}, (), ("room_*",), quick=True),
    Proof("credit_used", "credit", "bounded", 24, {"Depth": 5, "Calm": 8}, (), ("use_*",), limit=120),
    Proof("credit_used_depth2", "credit", "bounded", 26, {"Depth": 2, "Calm": 8}, (), ("use_*",), limit=120),
]

MUTATIONS = [
    Mutation("take_uncounted", "egress", "places_*", "fred_egress_vc.sv", "free_q  <= take_i ? taken : kept;",
             "free_q  <= kept;", quick=True),
    Mutation("space_late", "egress", "places_*", "fred_egress_vc.sv", "(take_i ? taken != '0 : kept != '0)",
             "(kept != '0)"),
    Mutation("pop_without_beat", "egress", "places_pop", "fred_egress_vc.sv",
             "(stored_pop ? fill_q[FillW-1:1] != '0 : fill_q != '0)",
             "(fill_q != '0)"),
    Mutation("bypass_overtakes", "egress", "delivered_*", "fred_egress.sv", "vc_ready_q & ~stored & first",
             "vc_ready_q & first"),
    Mutation("bypass_doubled", "egress", "delivered_*", "fred_egress.sv", "arriving & ~(leave_vc & ~stored)", "arriving"),
    Mutation("other_circuits_address", "egress", "delivered_*", "fred_egress.sv",
             ".Base(v * Depth), .AddrW(AddrW)", ".Base(0), .AddrW(AddrW)", quick=True),
    Mutation("offer_withdrawn", "egress", "axis_valid", "fred_egress.sv",
             "chosen_q   <= m_axis_tvalid & ~m_axis_tready ? now : best;", "chosen_q   <= best;"),
    Mutation("offer_changed", "egress", "axis_stays", "fred_egress.sv", "first) & ~holding_q;", "first);", quick=True),
    Mutation("offer_not_let", "egress", "axis_first", "fred_egress.sv", "stored_next & m_axis_vc_ready & locked",
             "stored_next & locked"),
    Mutation("bypass_not_let", "egress", "axis_first", "fred_egress.sv", "arriving & vc_ready_q & ~stored",
             "arriving & ~stored"),
    Mutation("idle_with_a_beat", "egress", "idle_never", "fred_egress_vc.sv", "= null_d | push_i | (stored_pop",
             "= null_d | (stored_pop"),
    Mutation("packet_broken", "egress_packets", "whole_packet", "fred_egress.sv",
             "stored_next & m_axis_vc_ready & locked", "stored_next & m_axis_vc_ready"),
    Mutation("null_frees_a_place", "egress", "places_kept", "fred_egress_vc.sv", "= leave_i & ~null_o;", "= leave_i;",
             quick=True),
    Mutation("place_while_closing", "egress", "places_closing", "fred_egress_vc.sv", "& ~(closed_o | closing_q);",
             "& ~closed_o;"),
    Mutation("place_at_the_close", "egress", "places_closing", "fred_egress_vc.sv", "& ~(closed_o | closing_q);",
             "& ~closing_q;"),
    Mutation("error_unmarked", "egress", "delivered_*", "fred_egress.sv",
             "net_error_i | (|(arriving & spoiled));", "|(arriving & spoiled);"),
    Mutation("error_forgotten", "egress", "delivered_*", "fred_egress_vc.sv",
             "(spoiled_o | arrive_error_i) & ~arrive_last_i : spoiled_o & ~closed_o;", "1'b0 : spoiled_o & ~closed_o;"),
    Mutation("error_of_another", "egress", "delivered_*", "fred_egress_vc.sv",
             "(spoiled_o | arrive_error_i) & ~arrive_last_i : spoiled_o & ~closed_o;",
             "(spoiled_o | arrive_error_i) & ~arrive_last_i : spoiled_o;"),
    Mutation("null_for_another", "egress", "delivered_past", "fred_egress.sv", "= ~bypass & |(chosen_q & nulls);",
             "= |(chosen_q & nulls);"),
    Mutation("others_closed", "egress", "close_only", "fred_egress_vc.sv", "open_q & close[owner_o];",
             "open_q & |close_i;"),
    Mutation("ended_closed", "egress", "close_only", "fred_egress_vc.sv", "= open_q & close[owner_o];",
             "= close[owner_o];"),
    Mutation("closed_again", "egress", "close_only", "fred_egress_vc.sv", ": open_q & ~closed_o;", ": open_q;"),
    Mutation("full_not_closed", "egress", "close_only", "fred_egress_vc.sv", "= open_q & close[owner_o];",
             "= open_q & close[owner_o] & (free_q != '0);"),
    Mutation("null_twice", "egress", "delivered_none_made", "fred_egress_vc.sv",
             "= closed_o | (closing_q & ~(leave_i & null_o));", "= closed_o | closing_q;"),
    Mutation("null_in_front", "egress", "delivered_*", "fred_egress_vc.sv", "closing_q & (fill_q == '0) &",
             "closing_q &"),
    Mutation("null_never", "egress", "idle_never", "fred_egress_vc.sv", "= null_d | push_i | (stored_pop",
             "= push_i | (stored_pop"),
    Mutation("null_not_last", "egress", "close_null", "fred_egress.sv", "side[CountW] | is_null;", "side[CountW];"),
    Mutation("null_no_error", "egress", "close_null", "fred_egress.sv", " | UserW'(is_null) << ErrorBit;", ";"),
    Mutation("null_with_bytes", "egress", "close_null", "fred_egress.sv", " & {CountW{~is_null}};", ";"),
    Mutation("null_of_another", "egress", "close_null", "fred_egress_vc.sv", "else if (back) raddr_o", "else if (1'b0) raddr_o",
             quick=True),
    Mutation("null_open", "egress_framed", "framed_packet", "fred_egress.sv", "side[CountW] | is_null;", "side[CountW];"),
    Mutation("passed_by_unwritten", "egress", "close_null", "fred_egress.sv", ".we_i    (net_valid_i)",
             ".we_i    (|push)"),
    Mutation("cut_packet_kept", "egress_packets", "idle_never", "fred_egress_vc.sv", "begun_d | closing_d |",
             "begun_d |"),
    # ---- The launch decision. ----
    Mutation("missing_ignored", "control_three_operands", "operands_all", "fred_descriptor.sv",
             "missing = |(tree_launch & ~head_i);", "missing = ~|(tree_launch & head_i);", quick=True),
    Mutation("difference_ignored", "control_three_operands", "operands_agree", "fred_descriptor.sv",
             "~blocked & ~differ & ~cut);", "~blocked & ~cut);"),
    Mutation("cut_ignored", "control_three_operands", "operands_cut", "fred_descriptor.sv",
             "~blocked & ~differ & ~cut);", "~blocked & ~differ);"),
    Mutation("empty_head", "control_three_operands", "operands_usable", "fred_control.sv",
             "(head_usable_i),\n    .head_last_i", "({P*V{1'b1}}),\n    .head_last_i"),
    Mutation("stranger_sends", "control_three_operands", "operands_member", "fred_descriptor.sv",
             "able    = head_i & in_mask_i &", "able    = head_i &"),
    Mutation("sent_outside", "control_three_operands", "operands_member", "fred_port_launch.sv",
             "open_to)) & (head_member_i[v] | ~sends);", "open_to));"),
    Mutation("two_senders", "control_clash", "clash_egress", "fred_descriptor.sv", "is_send ? sender :",
             "is_send ? senders :"),
    Mutation("clash_ungranted", "control_clash", "clash_never", "fred_port_launch.sv",
             "|(grant_i & can_launch_i & desc);", "|(can_launch_i & desc);"),
    Mutation("port_ungranted", "control_clash", "clash_port", "fred_port_launch.sv",
             "|(grant_i & can_launch_i & desc);", "|(can_launch_i & desc);"),
    Mutation("take_lost", "control_once", "once_taken", "fred_egress_locks.sv", "(|tree) | (|own);", "(|tree);"),
    Mutation("destination_lost", "control_once", "once_entered", "fred_launch.sv", "deliver | launch_dest_i[p*P +: P];",
             "deliver;"),
    Mutation("not_granted_enters", "control_once", "once_entered", "fred_port_launch.sv",
             "desc_o  <= grant_i & can_launch_i;", "desc_o  <= can_launch_i;"),
    Mutation("not_due", "control_once", "once_due", "fred_launch.sv", "assign due[q] = |from;",
             "assign due[q] = &from;"),
    Mutation("circuit_lost", "control_named", "once_named", "fred_launch.sv", "= VcW'(v);", "= VcW'(0);"),
    Mutation("tree_without_place", "control_whole", "egress_place", "fred_descriptor.sv",
             "(tree_deliver & (~space_i | ((", "(tree_deliver & ((("),
    Mutation("source_without_place", "control_whole", "egress_place", "fred_ports.sv",
             "assign starts[v*P + q]      = space_i[q*V + v] &", "assign starts[v*P + q]      ="),
    Mutation("tree_into_open", "control_whole", "egress_free", "fred_descriptor.sv", "((busy_i | withheld_i) &",
             "((withheld_i) &"),
    Mutation("source_into_open", "control_whole", "egress_free", "fred_ports.sv", "~busy_i[q*V + v] & ~closed_i",
             "~closed_i"),
    Mutation("lock_of_one_beat", "control_whole", "whole_packet", "fred_egress_locks.sv", "(|(tree & last_i))", "(|tree)"),
    Mutation("step_runs_on", "control_whole", "step_range", "fred_descriptor.sv", "last_step ? '0 : step_q + PortW'(1);",
             "step_q + PortW'(1);"),
    # ---- Aborts in the control. ----
    Mutation("stopped_goes", "control_whole", "abort_stopped", "fred_descriptor.sv", "running = enable_i & ready_q;",
             "running = ready_q;"),
    Mutation("lock_kept", "control_whole", "abort_none", "fred_egress_locks.sv",
             "else if (closed_i[q*Vcs + v]) busy_o[q*Vcs + v] <= 1'b0;", "", quick=True),
    Mutation("held_launches", "control_whole", "abort_held", "fred_descriptor.sv", "& ~halted_o & ~hold_i &",
             "& ~halted_o &"),
    Mutation("port_kept", "control_whole", "abort_none", "fred_port_launch.sv",
             "else if (drop[v] | (|(desc & close_i))) open_o[v] <= 1'b0;", ""),
    Mutation("cut_port_open", "control_whole", "egress_free", "fred_port_launch.sv", "drop[v] | (|(desc & close_i))",
             "|(desc & close_i)"),
    Mutation("all_ports_closed", "control_whole", "abort_ports", "fred_port_launch.sv", "(|(desc & close_i))",
             "(|close_i)"),
    Mutation("step_kept", "control_whole", "abort_step", "fred_descriptor.sv", "if (!running) step_q",
             "if (!rst_ni) step_q"),
    Mutation("packet_kept", "control_whole", "abort_packet", "fred_descriptor.sv", "if (!running) in_packet_q",
             "if (!rst_ni) in_packet_q"),
    # ---- The arbiter. ----
    Mutation("loser_in_front", "arbiter", "grant_apart", "fred_arbiter.sv", "losing_q[i] ? ~losing_q[j] | order :",
             "losing_q[i] ? order :", quick=True),
    Mutation("circle", "arbiter", "grant_something", "fred_arbiter.sv", ": ~losing_q[j] & order);", ": order);"),
    Mutation("not_a_candidate", "arbiter", "grant_candidates", "fred_arbiter.sv", "candidate_i[i] & ~|(candidate_i",
             "~|(candidate_i"),
    Mutation("losers_unknown", "arbiter", "full_maximal", "fred_arbiter.sv", "<= g_round[Rounds-1].losing;", "<= '0;"),
    Mutation("order_unread", "arbiter", "first_goes", "fred_arbiter.sv", "before_i[i*Count + j] | (level & ~favourite_q[i])",
             "~favourite_q[i]"),
    Mutation("order_unread_steady", "arbiter", "full_first", "fred_arbiter.sv",
             "before_i[i*Count + j] | (level & ~favourite_q[i])", "~favourite_q[i]"),
    # ---- Claims. ----
    Mutation("mark_lost", "starve", "late_bound", "fred_late.sv", "(marked_q | {Count{tick_i}})", "{Count{tick_i}}",
             depth=30),
    Mutation("late_at_once", "starve", "late_half", "fred_late.sv", "waiting_i & marked_q & ~late_o", "waiting_i & ~late_o"),
    Mutation("order_both_ways", "starve", "order_strict", "fred_claims.sv", "claims[i] ? claims[j] & older[i*D + j] :",
             "claims[i] ? claims[j] :", depth=40),
    Mutation("ages_in_a_circle", "starve", "order_weak", "fred_claims.sv", "if (claims_new[j]) later_q <= 1'b1;",
             "if (claims_new[j]) later_q <= (j - i != 2) | ~claims_new[i];", depth=40),
    Mutation("claimants_not_first", "starve", "claim_goes", "fred_claims.sv",
             "claims[i] ? claims[j] & older[i*D + j] : claims[j] | later_vc[i*D + j];", "later_vc[i*D + j];", depth=40),
    Mutation("nothing_withheld", "starve", "claim_starts", "fred_claims.sv", "<= (|claimed) | others;", "<= others;",
             depth=40, quick=True),
    Mutation("priority_unread", "starve", "vc_first", "fred_claims.sv", ": claims[j] | later_vc[i*D + j];", ": claims[j];",
             depth=40),
    Mutation("sources_not_shut_out", "starve", "claim_shut", "fred_claims.sv", "closed_o[q*V + v]    <= (|trees) | (|sources);",
             "closed_o[q*V + v]    <= |sources;", depth=40),
    Mutation("source_not_first", "starve", "source_goes_on", "fred_claims.sv", "claims     = tree_late | source_goes_q;",
             "claims     = tree_late;", depth=40),
    Mutation("source_never_late", "starve", "source_bound", "fred_late.sv", "(marked_q | {Count{tick_i}})",
             "{Count{tick_i}}", depth=30),
    # ---- Aborts. ----
    Mutation("closed_early", "abort", "close_waits", "fred_abort.sv", "|pending_q ? WaitW'(Wait) :",
             "|pending_q ? WaitW'(1) :", quick=True),
    Mutation("pending_not_stopped", "abort", "stop_from", "fred_abort.sv", "= pending_q | batch_q;", "= batch_q;"),
    Mutation("batch_not_stopped", "abort", "close_stopped", "fred_abort.sv", "= pending_q | batch_q;", "= pending_q;"),
    Mutation("abort_lost", "abort", "close_soon", "fred_abort.sv", "requests : pending_q | requests;",
             "requests : pending_q;", depth=40),
    Mutation("abort_overwritten", "abort", "close_soon", "fred_abort.sv", "idle ? requests : pending_q | requests;",
             "requests;", depth=40),
    Mutation("all_closed", "abort", "close_only", "fred_abort.sv", "WaitW'(1) ? batch_q : '0;", "WaitW'(1) ? '1 : '0;"),
    Mutation("closed_at_once", "abort", "close_waits", "fred_abort.sv", "timer_q == WaitW'(1) ? batch_q",
             "timer_q != '0 ? batch_q"),
    Mutation("batch_grows", "abort", "close_soon", "fred_abort.sv", "timer_q <= timer_q - WaitW'(1);",
             "timer_q <= |requests ? WaitW'(Wait) : timer_q - WaitW'(1);", depth=40),
    Mutation("spoiled_forgotten", "abort", "spoiled_stays", "fred_abort.sv", "(spoiled_o & ~abort_i & enable_i)",
             "(spoiled_o & ~abort_i & enable_i & stop_o)"),
    Mutation("spoiled_for_ever", "abort", "spoiled_ends", "fred_abort.sv", "(spoiled_o & ~abort_i & enable_i)",
             "(spoiled_o & enable_i)"),
    Mutation("conflict_too_early", "abort", "spoiled_*", "fred_abort.sv",
             "line_q[(Flight-1)*Descriptors +: Descriptors] &", "line_q[(Flight-2)*Descriptors +: Descriptors] &"),
    Mutation("parity_unheard", "abort", "spoiled_begin", "fred_abort.sv", "& enable_i) | bad_i;", "& enable_i);"),
    Mutation("landed_too_early", "abort", "flying_true", "fred_abort.sv", "n < Flight; n++", "n < Flight - 1; n++"),
    # ---- Ingress. ----
    Mutation("room_late", "ingress_any_source", "places_room", "fred_ingress_vc.sv", "room_o     = fill_d != FillW'(Depth);",
             "room_o     = fill_q != FillW'(Depth);", quick=True),
    Mutation("nothing_reserved", "ingress", "promise_kept", "fred_ingress.sv", ".Reserve(Vcs > 1 ? 1 : 0)", ".Reserve(0)",
             quick=True),
    Mutation("head_overwritten", "ingress_delivered", "delivered_head", "fred_ingress_vc.sv",
             "(waiting_q != '0) & (~head_valid_o | pop_i);", "(waiting_q != '0);"),
    Mutation("changed_shown", "ingress_delivered", "delivered_head", "fred_ingress_vc.sv", "= load & ~changed; ",
             "= load; "),
    Mutation("changed_usable", "ingress_delivered", "delivered_head", "fred_ingress_vc.sv", "= next_bad | changed;",
             "= next_bad;"),
    Mutation("read_early", "ingress_delivered", "delivered_data", "fred_ingress_vc.sv", "if (read_i)   raddr_o", "if (pop_i)   raddr_o"),
    # ---- The link. ----
    Mutation("flit_taken_twice", "link", "order_right", "fred_link_receive.sv", "data_i & (ahead == '0);", "data_i;",
             quick=True),
    Mutation("sent_from_elsewhere", "link", "order_right", "fred_link_send.sv", ".raddr_i (sent_q[IndexW-1:0])", ".raddr_i (acked_q[IndexW-1:0])"),
    Mutation("whole_window_lost", "link_progress", "progress_taken", "fred_link_receive.sv",
             "? ~data_i & (ahead[SeqW-2:0] == '0) : ahead != '0;", "? 1'b0 : ahead != '0;", 40),
    Mutation("replay_overfull", "link", "room_between", "fred_link_send.sv", "(written_d - acked_d) != SeqW'(Replay);", "1'b1;"),
    Mutation("gap_unasked", "link_progress", "progress_taken", "fred_link_send.sv", "(heard_i & (again_i ^ echo_o)) | timeout_o", "timeout_o", 40),
    Mutation("credit_of_the_held", "credit", "room_places", "fred_link_credit.sv", "kept    = ready_o | held_i;", "kept    = ready_o;"),
    Mutation("credit_promised_twice", "credit", "room_places", "fred_link_credit.sv", "kept    = ready_o | held_i;", "kept    = held_i;",
             quick=True),
    Mutation("credit_uncounted", "credit", "room_places", "fred_link_credit.sv", "sent_q + CreditW'(accept_i);", "sent_q;"),
    Mutation("credit_told_to_another", "credit", "room_places", "fred_link_limit.sv", "u_slot (.select_i(chosen)", "u_slot (.select_i(~chosen)"),
    Mutation("credit_never_told_again", "credit_used", "use_places", "fred_link_limit.sv", "by_news ? news_q : '1", "news_q"),
    Mutation("credit_of_the_loudest", "credit_used", "use_places", "fred_link_limit.sv", "= turn_q & (|news_q);", "= |news_q;"),
    Mutation("credit_kept_back", "credit_used", "use_places", "fred_link_credit.sv", "left > CreditW'(kept);", "left > CreditW'(1);"),
]
