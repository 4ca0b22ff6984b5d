/* SPDX-License-Identifier: Apache-2.0
 * A program that uses fred_driver.h, as test_driver.cpp calls it: strict C99 against the generated headers of one
 * design and one program of `fred route` (PROGRAM, the name of its constants; PROGRAM_FILE). */
#include PROGRAM_FILE

#define CONCATENATE(a, b) a##b
#define NAMED(name, suffix) CONCATENATE(name, suffix)
#define USED_PROGRAM NAMED(PROGRAM, _program)

static fred_device device;

int user_open(fred_read32 read32, fred_write32 write32, void *context) {
  return fred_open(&device, read32, write32, context);
}

int user_setup(void) { return fred_setup_program(&device, &USED_PROGRAM); }
int user_enable(void) { return fred_enable_program(&device, &USED_PROGRAM); }
int user_disable(void) { return fred_disable_program(&device, &USED_PROGRAM); }

/* Until all are idle. */
int user_wait(unsigned long reads) {
  size_t i;
  for (i = 0; i < USED_PROGRAM.descriptor_count; ++i) {
    const int code = fred_wait_idle(&device, USED_PROGRAM.descriptors[i].index, reads);
    if (code != FRED_OK) return code;
  }
  return FRED_OK;
}

/* Sets up the first descriptor of the program as another one, with a field of its own, and enables it. */
int user_setup_as(unsigned index, unsigned vc, unsigned type, uint32_t in_mask) {
  fred_descriptor descriptor = USED_PROGRAM.descriptors[0];
  int code;
  descriptor.index = (uint8_t)index;
  descriptor.vc = (uint8_t)vc;
  descriptor.type = (uint8_t)type;
  descriptor.in_mask[0] = in_mask;
  code = fred_setup(&device, &descriptor);
  return code == FRED_OK ? fred_enable(&device, index) : code;
}

int user_entry(unsigned table, unsigned step, unsigned port, unsigned destination) {
  fred_entry entry;
  entry.table = (uint8_t)table;
  entry.step = (uint8_t)step;
  entry.port = (uint8_t)port;
  entry.destination = (uint8_t)destination;
  entry.colours = 0;
  return fred_setup_entry(&device, &entry);
}

/* 0x1000 enabled, 0x2000 halted, 0x4000 busy, 0x8000 aborting, 0x10000 hangs, 0x20000 spoiled, below: the step. */
unsigned user_status(unsigned descriptor) {
  fred_descriptor_status status;
  if (fred_read_status(&device, descriptor, &status) != FRED_OK) return ~0u;
  return (status.enabled ? 0x1000u : 0u) | (status.halted ? 0x2000u : 0u) | (status.busy ? 0x4000u : 0u) |
         (status.aborting ? 0x8000u : 0u) | (status.hangs ? 0x10000u : 0u) | (status.spoiled ? 0x20000u : 0u) | status.step;
}

/* {locked, full, behind, missing}, 8 bits each. */
unsigned user_report(unsigned descriptor) {
  fred_report report;
  if (fred_read_report(&device, descriptor, &report) != FRED_OK) return ~0u;
  return report.missing[0] | report.behind[0] << 8 | report.full[0] << 16 | report.locked[0] << 24;
}

int user_abort(unsigned descriptor, unsigned epoch) { return fred_abort(&device, descriptor, epoch); }
int user_wait_abort(unsigned descriptor, unsigned long reads) { return fred_wait_abort(&device, descriptor, reads); }
int user_timeout(unsigned exponent) { return fred_set_timeout(&device, exponent); }

/* Descriptor of the packet open at the egress, ~0 without one. */
unsigned user_owner(unsigned port) {
  fred_port_status status;
  if (fred_read_port(&device, port, 0, &status) != FRED_OK) return ~0u;
  return status.egress_open ? status.owner : ~0u;
}

/* 0x1000 a head, 0x2000 held, below: its descriptor. */
unsigned user_port(unsigned port) {
  fred_port_status status;
  if (fred_read_port(&device, port, 0, &status) != FRED_OK) return ~0u;
  return (status.head ? 0x1000u : 0u) | (status.held ? 0x2000u : 0u) | (status.head ? status.descriptor : 0u);
}

size_t user_errors(char *buffer, size_t size) {
  uint32_t errors;
  if (fred_read_errors(&device, &errors) != FRED_OK) return 0;
  if (fred_clear_errors(&device, errors) != FRED_OK) return 0;
  return fred_errors_text(errors, buffer, size);
}
/* 0x80000000 valid, 0x40000000 has a port, kind << 24, port << 16, circuit << 8, descriptor. */
unsigned user_first_error(void) {
  fred_first_error first;
  if (fred_read_first_error(&device, &first) != FRED_OK || (first.valid && first.cycle == 0)) return ~0u;
  return (first.valid ? 0x80000000u : 0u) | (first.has_port ? 0x40000000u : 0u) | first.kind << 24 | first.port << 16 |
         first.vc << 8 | first.descriptor;
}
int user_irq(uint32_t errors) { return fred_set_irq(&device, errors); }
size_t user_errors_text(uint32_t errors, char *buffer, size_t size) { return fred_errors_text(errors, buffer, size); }

int user_settings(unsigned first, uint32_t bound) {
  uint8_t order[FRED_VCS];
  unsigned place;
  int code;
  for (place = 0; place < FRED_VCS; ++place) order[place] = (uint8_t)((first + place) % (FRED_VCS + 1u));
  code = fred_set_priority(&device, order);
  return code == FRED_OK ? fred_set_bound(&device, bound) : code;
}

int user_snapshot(void) { return fred_snapshot_counters(&device); }
int user_beats(unsigned port, unsigned vc, uint32_t counts[2]) {
  fred_beat_counts beats;
  const int code = fred_read_beats(&device, port, vc, &beats);
  if (code != FRED_OK) return code;
  counts[0] = beats.in;
  counts[1] = beats.out;
  return FRED_OK;
}
int user_launches(unsigned descriptor, uint32_t counts[4]) {
  fred_launch_counts launches;
  const int code = fred_read_launches(&device, descriptor, &launches);
  if (code != FRED_OK) return code;
  counts[0] = launches.launches;
  counts[1] = launches.wait_data;
  counts[2] = launches.wait_egress;
  counts[3] = launches.wait_arbitration;
  return FRED_OK;
}

const char *user_text(int code) { return fred_text(code); }
uint32_t user_address(void) { return device.address; }
