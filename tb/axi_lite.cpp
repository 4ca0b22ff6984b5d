// SPDX-License-Identifier: Apache-2.0
#include "tb/axi_lite.hpp"

namespace fred::tb {

void AxiLite::start_write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes) {
  state_ = State::kWrite;
  address_sent_ = data_sent_ = false;
  address_ = address;
  data_ = data;
  strobes_ = strobes;
}

void AxiLite::start_read(std::uint32_t address) {
  state_ = State::kRead;
  address_sent_ = false;
  address_ = address;
}

void AxiLite::drive(InPins& in) const {
  in.awvalid = state_ == State::kWrite && !address_sent_;
  in.wvalid = state_ == State::kWrite && !data_sent_;
  in.bready = state_ == State::kWrite;
  in.arvalid = state_ == State::kRead && !address_sent_;
  in.rready = state_ == State::kRead;
  in.awaddr = in.araddr = address_;
  in.wdata = data_;
  in.wstrb = strobes_;
}

void AxiLite::sample(const OutPins& out) {
  if (state_ == State::kWrite) {
    address_sent_ = address_sent_ || out.awready;
    data_sent_ = data_sent_ || out.wready;
    if (out.bvalid) {
      result_ = {out.bresp, 0};
      state_ = State::kIdle;
    }
  } else if (state_ == State::kRead) {
    address_sent_ = address_sent_ || out.arready;
    if (out.rvalid) {
      result_ = {out.rresp, out.rdata};
      state_ = State::kIdle;
    }
  }
}

}  // namespace fred::tb
