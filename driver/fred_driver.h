/* SPDX-License-Identifier: Apache-2.0
 * Driver of a FRED switch: checks that it is the switch that fred_regs.h describes, sets up descriptors, enables,
 * disables and aborts them, reads status, errors, counters and what a collective that hangs waits for. C99 (C++ too),
 * header only, no library, no memory of its own.
 *
 *     fred_device device;
 *     int code = fred_open(&device, read32, write32, &bus);              // your two functions: see below
 *     if (code == FRED_OK) code = fred_setup_program(&device, &program); // from fred route --c-header
 *     if (code == FRED_OK) code = fred_enable_program(&device, &program);
 *     if (code != FRED_OK) puts(fred_text(code));
 *
 * Every function returns FRED_OK or another code of fred_code; fred_text says it in words, and device.address is the
 * register of the last access (of FRED_E_RANGE there was none). Pointers must not be null. Nothing here waits but fred_wait_idle and fred_wait_abort, and these for as many reads as
 * they are told. One thread at a time may use a device. */
#ifndef FRED_DRIVER_H
#define FRED_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "fred_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One access to a register at a byte address from the start of the switch. Returns the AXI response: 0 OKAY, 2 SLVERR,
 * 3 DECERR; a bus that cannot tell returns 0 always, and refusals are then seen where the registers are read back. */
typedef int (*fred_read32)(void *context, uint32_t address, uint32_t *data);
typedef int (*fred_write32)(void *context, uint32_t address, uint32_t data);

typedef enum fred_code {
  FRED_OK = 0,
  FRED_E_BUS,      /* an access was refused that the switch takes */
  FRED_E_ID,       /* no FRED switch answers */
  FRED_E_VERSION,  /* a switch by another version of the generator */
  FRED_E_HASH,     /* a switch with other parameters than fred_regs.h */
  FRED_E_RANGE,    /* an index or value that this design does not have */
  FRED_E_IN_USE,   /* the descriptor is enabled, or its all-to-all table is in use */
  FRED_E_REFUSED,  /* the switch does not enable the descriptor as it is set up, or it is not enabled and not aborted */
  FRED_E_BUSY,     /* the descriptor is busy and is not disabled, or an abort of it is under way */
  FRED_E_HALTED,   /* the descriptor has halted: its operands did not match, beats of two flows met, or a table has a
                      wrong bit */
  FRED_E_TIMEOUT   /* not done after as many reads as were allowed */
} fred_code;

typedef struct fred_device {
  fred_read32 read32;
  fred_write32 write32;
  void *context;    /* passed to both */
  uint32_t address; /* register of the last access */
  int response;     /* its AXI response */
} fred_device;

/* What stands in the registers of a descriptor. Masks: bit p % 32 of word p / 32 is port (or descriptor) p. */
typedef struct fred_descriptor {
  uint8_t index; /* tdest */
  uint8_t kind;  /* enum fred_kind */
  uint8_t op;    /* enum fred_op */
  uint8_t type;  /* index of the element type in TYPES */
  uint8_t vc;    /* virtual circuit, tid */
  uint8_t epoch; /* 0..15 */
  uint8_t table; /* of an all-to-all */
  uint8_t root;  /* port */
  uint32_t colours;
  uint32_t in_mask[FRED_MASK_WORDS];
  uint32_t out_mask[FRED_MASK_WORDS];
  uint32_t compat[FRED_COMPAT_WORDS];
} fred_descriptor;

/* At this step of an all-to-all `port` sends to `destination`. */
typedef struct fred_entry {
  uint8_t table, step, port, destination;
  uint32_t colours;
} fred_entry;

/* Collectives that are set up together, as `fred route --c-header` writes them. */
typedef struct fred_program {
  const fred_descriptor *descriptors;
  size_t descriptor_count;
  const fred_entry *entries;
  size_t entry_count;
} fred_program;

typedef struct fred_descriptor_status {
  int enabled, halted, busy, aborting, hangs, spoiled;
  unsigned step;
} fred_descriptor_status;

typedef struct fred_port_status {
  int head, ingress_open, egress_open, egress_space, held;
  unsigned descriptor; /* of the beat at the head; means nothing without one */
  unsigned owner;      /* descriptor of the packet open at the egress; means nothing without one */
} fred_port_status;

/* The first error since the bits of ERROR were last cleared. */
typedef struct fred_first_error {
  int valid;           /* there is one */
  unsigned kind;       /* number of the bit of ERROR */
  int has_port;        /* it is about the head of a circuit of a port */
  unsigned port, vc;   /* then these */
  unsigned descriptor; /* of a head its tdest */
  uint32_t cycle;      /* value of CYCLE when it came */
} fred_first_error;

/* What a descriptor waits for, as masks of ports. */
typedef struct fred_report {
  uint32_t missing[FRED_MASK_WORDS]; /* its beat has not come */
  uint32_t behind[FRED_MASK_WORDS];  /* of these: something else is at the head; fred_read_port says what */
  uint32_t full[FRED_MASK_WORDS];    /* egress ports without a place: their sinks do not accept */
  uint32_t locked[FRED_MASK_WORDS];  /* egress ports inside another packet; fred_read_port says of whom */
} fred_report;

/* Counters of a virtual circuit of a port. FRED_COUNT_MOST: as many or more. */
typedef struct fred_beat_counts {
  uint32_t in;  /* beats launched from the ingress */
  uint32_t out; /* beats that have left the egress, those that end an aborted packet too */
} fred_beat_counts;

/* Counters of a descriptor, cycles: with a launch, and at work without one, by what it waited for. */
typedef struct fred_launch_counts {
  uint32_t launches;
  uint32_t wait_data;        /* beats at the heads */
  uint32_t wait_egress;      /* a place at an egress port, or the end of another packet there */
  uint32_t wait_arbitration; /* others, which went */
} fred_launch_counts;

#define FRED_COUNT_MOST 0xffffffffu

/* A code in words. */
static inline const char *fred_text(int code) {
  switch (code) {
    case FRED_OK: return "done";
    case FRED_E_BUS: return "a register access was refused";
    case FRED_E_ID: return "no FRED switch answers at this address";
    case FRED_E_VERSION: return "the switch is by another version of fred than fred_regs.h";
    case FRED_E_HASH: return "the switch has other parameters than fred_regs.h";
    case FRED_E_RANGE: return "an index or value that this switch does not have";
    case FRED_E_IN_USE: return "the descriptor is enabled, or its all-to-all table in use; disable it first";
    case FRED_E_REFUSED: return "the descriptor cannot be enabled as it is set up, or is not enabled and cannot be aborted";
    case FRED_E_BUSY: return "the descriptor is busy or being aborted; wait until that is over";
    case FRED_E_HALTED: return "the descriptor has halted: its operands did not match, beats of two flows met, or a table has a wrong bit";
    case FRED_E_TIMEOUT: return "the descriptor is still busy or being aborted";
    default: return "unknown code";
  }
}

/* A function, so that no compiler remarks on a comparison that one design never fails. */
static inline int fred_below(uint32_t value, uint32_t bound) { return value < bound; }

/* ---- Single accesses. ---- */
static inline int fred_read(fred_device *device, uint32_t address, uint32_t *data) {
  *data = 0;
  device->address = address;
  device->response = device->read32(device->context, address, data);
  return device->response == 0 ? FRED_OK : FRED_E_BUS;
}

static inline int fred_write(fred_device *device, uint32_t address, uint32_t data) {
  device->address = address;
  device->response = device->write32(device->context, address, data);
  return device->response == 0 ? FRED_OK : FRED_E_BUS;
}

/* ---- Which switch is it? ---- */
/* Which switch answers there. */
static inline int fred_open(fred_device *device, fred_read32 read32, fred_write32 write32, void *context) {
  static const struct {
    uint32_t address, value;
    int code;
  } wanted[3] = {{FRED_REG_ID, FRED_ID_RESET, FRED_E_ID},
                 {FRED_REG_VERSION, FRED_VERSION_RESET, FRED_E_VERSION},
                 {FRED_REG_HASH, FRED_HASH_RESET, FRED_E_HASH}};
  int i;
  device->read32 = read32;
  device->write32 = write32;
  device->context = context;
  for (i = 0; i < 3; ++i) {
    uint32_t value;
    if (fred_read(device, wanted[i].address, &value) != FRED_OK) return i == 0 ? FRED_E_ID : FRED_E_BUS;
    if (value != wanted[i].value) return wanted[i].code;
  }
  return FRED_OK;
}

/* ---- Status. ---- */
static inline int fred_read_status(fred_device *device, unsigned descriptor, fred_descriptor_status *status) {
  uint32_t word;
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS)) return FRED_E_RANGE;
  code = fred_read(device, FRED_REG_STATUS(descriptor), &word);
  status->enabled = FRED_GET(word, FRED_STATUS_ENABLED) != 0;
  status->halted = FRED_GET(word, FRED_STATUS_HALTED) != 0;
  status->busy = FRED_GET(word, FRED_STATUS_BUSY) != 0;
  status->aborting = FRED_GET(word, FRED_STATUS_ABORTING) != 0;
  status->hangs = FRED_GET(word, FRED_STATUS_HANGS) != 0;
  status->spoiled = FRED_GET(word, FRED_STATUS_SPOILED) != 0;
  status->step = FRED_GET(word, FRED_STATUS_STEP);
  return code;
}

static inline int fred_read_port(fred_device *device, unsigned port, unsigned vc, fred_port_status *status) {
  uint32_t word;
  int code;
  if (!fred_below(port, FRED_RADIX) || !fred_below(vc, FRED_VCS)) return FRED_E_RANGE;
  code = fred_read(device, FRED_REG_PORT(port, vc), &word);
  status->head = FRED_GET(word, FRED_PORT_HEAD) != 0;
  status->ingress_open = FRED_GET(word, FRED_PORT_INGRESS_OPEN) != 0;
  status->egress_open = FRED_GET(word, FRED_PORT_EGRESS_OPEN) != 0;
  status->egress_space = FRED_GET(word, FRED_PORT_EGRESS_SPACE) != 0;
  status->held = FRED_GET(word, FRED_PORT_HELD) != 0;
  status->descriptor = FRED_GET(word, FRED_PORT_DESCRIPTOR);
  status->owner = FRED_GET(word, FRED_PORT_OWNER);
  return code;
}

/* What the descriptor waits for now; of one that hangs it stays as it is. */
static inline int fred_read_report(fred_device *device, unsigned descriptor, fred_report *report) {
  unsigned w;
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS)) return FRED_E_RANGE;
  for (w = 0; w < FRED_MASK_WORDS; ++w) {
    if ((code = fred_read(device, FRED_REG_MISSING_WORD(descriptor, w), &report->missing[w])) != FRED_OK) return code;
    if ((code = fred_read(device, FRED_REG_BEHIND_WORD(descriptor, w), &report->behind[w])) != FRED_OK) return code;
    if ((code = fred_read(device, FRED_REG_FULL_WORD(descriptor, w), &report->full[w])) != FRED_OK) return code;
    if ((code = fred_read(device, FRED_REG_LOCKED_WORD(descriptor, w), &report->locked[w])) != FRED_OK) return code;
  }
  return FRED_OK;
}

/* Waits until no packet of the descriptor is open and no collective is under way, for at most `reads` reads of its
 * status. The switch does not know of packets that are still to come: ask when all of them have been sent. */
static inline int fred_wait_idle(fred_device *device, unsigned descriptor, unsigned long reads) {
  fred_descriptor_status status;
  while (reads-- > 0) {
    const int code = fred_read_status(device, descriptor, &status);
    if (code != FRED_OK) return code;
    if (status.halted) return FRED_E_HALTED;
    if (!status.busy) return FRED_OK;
  }
  return FRED_E_TIMEOUT;
}

/* ---- Set up. ---- */
/* The value fits into the field; a field without bits takes 0. */
#define FRED_FITS(value, field) ((((uint32_t)(value) << field##_SHIFT) & ~field##_MASK) == 0)

/* Writes a register and reads it back: a bus that cannot tell of a refusal is found out. */
static inline int fred_write_back(fred_device *device, uint32_t address, uint32_t data) {
  uint32_t value;
  int code = fred_write(device, address, data);
  if (code == FRED_OK) code = fred_read(device, address, &value);
  if (code != FRED_OK) return code;
  return value == data ? FRED_OK : FRED_E_BUS;
}

/* Writes all registers of a descriptor, which must not be enabled, and reads them back. */
static inline int fred_setup(fred_device *device, const fred_descriptor *descriptor) {
  const unsigned d = descriptor->index;
  fred_descriptor_status status;
  uint32_t config;
  unsigned w;
  int code;
  if (!fred_below(d, FRED_DESCRIPTORS) || !fred_below(descriptor->vc, FRED_VCS) ||
      !fred_below(descriptor->type, FRED_TYPES) || !fred_below(descriptor->root, FRED_RADIX) ||
      !FRED_FITS(descriptor->kind, FRED_CONFIG_KIND) ||
      !FRED_FITS(descriptor->op, FRED_CONFIG_OP) || !FRED_FITS(descriptor->epoch, FRED_CONFIG_EPOCH) ||
      !FRED_FITS(descriptor->table, FRED_CONFIG_TABLE)) {
    return FRED_E_RANGE;
  }
  if ((code = fred_read_status(device, d, &status)) != FRED_OK) return code;
  if (status.enabled) return FRED_E_IN_USE;
  config = FRED_PUT(FRED_CONFIG_KIND, descriptor->kind) | FRED_PUT(FRED_CONFIG_OP, descriptor->op) |
           FRED_PUT(FRED_CONFIG_EPOCH, descriptor->epoch) | FRED_PUT(FRED_CONFIG_TABLE, descriptor->table) |
           FRED_PUT(FRED_CONFIG_ROOT, descriptor->root) | FRED_PUT(FRED_CONFIG_TYPE_INDEX, descriptor->type) |
           FRED_PUT(FRED_CONFIG_VC, descriptor->vc);
  if ((code = fred_write_back(device, FRED_REG_CONFIG(d), config)) != FRED_OK) return code;
  if ((code = fred_write_back(device, FRED_REG_COLOURS(d), descriptor->colours)) != FRED_OK) return code;
  for (w = 0; w < FRED_MASK_WORDS; ++w) {
    if ((code = fred_write_back(device, FRED_REG_IN_MASK_WORD(d, w), descriptor->in_mask[w])) != FRED_OK) return code;
    if ((code = fred_write_back(device, FRED_REG_OUT_MASK_WORD(d, w), descriptor->out_mask[w])) != FRED_OK) return code;
  }
  for (w = 0; w < FRED_COMPAT_WORDS; ++w) {
    if ((code = fred_write_back(device, FRED_REG_COMPAT_WORD(d, w), descriptor->compat[w])) != FRED_OK) return code;
  }
  return FRED_OK;
}

/* Writes an entry of an all-to-all table. No enabled descriptor may use the table at this port: entries cannot be read,
 * so a bus that cannot tell of a refusal does not tell of this one either. */
static inline int fred_setup_entry(fred_device *device, const fred_entry *entry) {
  if (!fred_below(entry->table, FRED_ALLTOALL_TABLES) || !fred_below(entry->step, FRED_RADIX) ||
      !fred_below(entry->port, FRED_RADIX) || !fred_below(entry->destination, FRED_RADIX) ||
      !FRED_FITS(entry->colours, FRED_ENTRY_COLOURS)) {
    return FRED_E_RANGE;
  }
  return fred_write(device, FRED_REG_ENTRY(entry->table, entry->step, entry->port),
                    FRED_PUT(FRED_ENTRY_DESTINATION, entry->destination) |
                        FRED_PUT(FRED_ENTRY_COLOURS, entry->colours)) == FRED_OK
             ? FRED_OK
             : FRED_E_IN_USE;
}

/* Sets up all descriptors and entries; enables none. */
static inline int fred_setup_program(fred_device *device, const fred_program *program) {
  size_t i;
  for (i = 0; i < program->descriptor_count; ++i) {
    const int code = fred_setup(device, &program->descriptors[i]);
    if (code != FRED_OK) return code;
  }
  for (i = 0; i < program->entry_count; ++i) {
    const int code = fred_setup_entry(device, &program->entries[i]);
    if (code != FRED_OK) return code;
  }
  return FRED_OK;
}

/* ---- Enable, disable. ---- */
static inline int fred_enable(fred_device *device, unsigned descriptor) {
  fred_descriptor_status status;
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS)) return FRED_E_RANGE;
  if (fred_write(device, FRED_REG_CONTROL(descriptor), FRED_CONTROL_ENABLE_MASK) != FRED_OK) return FRED_E_REFUSED;
  if ((code = fred_read_status(device, descriptor, &status)) != FRED_OK) return code;
  return status.enabled ? FRED_OK : FRED_E_REFUSED;
}

/* Only while the descriptor is not busy. */
static inline int fred_disable(fred_device *device, unsigned descriptor) {
  fred_descriptor_status status;
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS)) return FRED_E_RANGE;
  if (fred_write(device, FRED_REG_CONTROL(descriptor), 0) != FRED_OK) return FRED_E_BUSY;
  if ((code = fred_read_status(device, descriptor, &status)) != FRED_OK) return code;
  return status.enabled ? FRED_E_BUSY : FRED_OK;
}

/* All descriptors of a program, up to the first that is refused. */
static inline int fred_enable_program(fred_device *device, const fred_program *program) {
  size_t i;
  for (i = 0; i < program->descriptor_count; ++i) {
    const int code = fred_enable(device, program->descriptors[i].index);
    if (code != FRED_OK) return code;
  }
  return FRED_OK;
}

static inline int fred_disable_program(fred_device *device, const fred_program *program) {
  size_t i;
  for (i = 0; i < program->descriptor_count; ++i) {
    const int code = fred_disable(device, program->descriptors[i].index);
    if (code != FRED_OK) return code;
  }
  return FRED_OK;
}

/* ---- Abort. ---- */
/* Ends what the descriptor is at: its open packets are closed with the error bit, its step returns to 0, and from now on
 * its beats carry `epoch`, which is another than CONFIG has (FRED_E_RANGE); those of the old one are dropped. Begins it;
 * fred_wait_abort waits for the end, and then CONFIG has the new epoch. */
static inline int fred_abort(fred_device *device, unsigned descriptor, unsigned epoch) {
  fred_descriptor_status status;
  uint32_t config;
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS) || !FRED_FITS(epoch, FRED_CONTROL_EPOCH)) return FRED_E_RANGE;
  if ((code = fred_read_status(device, descriptor, &status)) != FRED_OK) return code;
  if (!status.enabled) return FRED_E_REFUSED;
  if (status.aborting) return FRED_E_BUSY;
  if ((code = fred_read(device, FRED_REG_CONFIG(descriptor), &config)) != FRED_OK) return code;
  if (FRED_GET(config, FRED_CONFIG_EPOCH) == epoch) return FRED_E_RANGE;
  return fred_write(device, FRED_REG_CONTROL(descriptor),
                    FRED_CONTROL_ENABLE_MASK | FRED_CONTROL_ABORT_MASK | FRED_PUT(FRED_CONTROL_EPOCH, epoch));
}

/* Waits until the abort is done, for at most `reads` reads of the status. It needs nothing of any source or sink. */
static inline int fred_wait_abort(fred_device *device, unsigned descriptor, unsigned long reads) {
  fred_descriptor_status status;
  while (reads-- > 0) {
    const int code = fred_read_status(device, descriptor, &status);
    if (code != FRED_OK) return code;
    if (!status.aborting) return FRED_OK;
  }
  return FRED_E_TIMEOUT;
}

/* ---- Settings. ---- */
/* The order of the virtual circuits, the one that goes first at [0]. */
static inline int fred_set_priority(fred_device *device, const uint8_t order[FRED_VCS]) {
  uint32_t word = 0;
  uint32_t placed = 0;
  unsigned place;
  for (place = 0; place < FRED_VCS; ++place) {
    if (!fred_below(order[place], FRED_VCS)) return FRED_E_RANGE;
    placed |= (uint32_t)1 << order[place];
    word |= (uint32_t)order[place] << (place * FRED_PLACE_BITS);
  }
  if (placed != ((uint32_t)1 << FRED_VCS) - 1u) return FRED_E_RANGE;
  return fred_write(device, FRED_REG_PRIORITY, word);
}

/* Cycles that a launch may be passed over before it claims its ports. */
static inline int fred_set_bound(fred_device *device, uint32_t cycles) {
  if (cycles < FRED_BOUND_LEAST || !FRED_FITS(cycles, FRED_BOUND_CYCLES)) return FRED_E_RANGE;
  return fred_write(device, FRED_REG_BOUND, FRED_PUT(FRED_BOUND_CYCLES, cycles));
}

/* A descriptor that is at work and of which nothing goes for 2^(exponent - 1) to 2^exponent cycles hangs; 0: never. */
static inline int fred_set_timeout(fred_device *device, unsigned exponent) {
  if (!FRED_FITS(exponent, FRED_TIMEOUT_EXPONENT)) return FRED_E_RANGE;
  return fred_write(device, FRED_REG_TIMEOUT, FRED_PUT(FRED_TIMEOUT_EXPONENT, exponent));
}

/* ---- Errors. ---- */
/* The sticky error bits: FRED_ERROR_EPOCH_MASK, ... */
static inline int fred_read_errors(fred_device *device, uint32_t *errors) {
  return fred_read(device, FRED_REG_ERROR, errors);
}

static inline int fred_read_first_error(fred_device *device, fred_first_error *first) {
  uint32_t word;
  int code = fred_read(device, FRED_REG_FIRST_ERROR, &word);
  if (code == FRED_OK) code = fred_read(device, FRED_REG_FIRST_CYCLE, &first->cycle);
  if (code != FRED_OK) return code;
  first->valid = FRED_GET(word, FRED_FIRST_ERROR_VALID) != 0;
  first->kind = FRED_GET(word, FRED_FIRST_ERROR_KIND);
  first->has_port = FRED_GET(word, FRED_FIRST_ERROR_HAS_PORT) != 0;
  first->port = FRED_GET(word, FRED_FIRST_ERROR_PORT);
  first->vc = FRED_GET(word, FRED_FIRST_ERROR_VC);
  first->descriptor = FRED_GET(word, FRED_FIRST_ERROR_DESCRIPTOR);
  return FRED_OK;
}

/* Error bits that raise the interrupt while they are set: FRED_ERROR_EPOCH_MASK, ... */
static inline int fred_set_irq(fred_device *device, uint32_t errors) {
  return fred_write(device, FRED_REG_IRQ_ENABLE, errors);
}

/* Clears these; one whose cause is still there comes back. */
static inline int fred_clear_errors(fred_device *device, uint32_t errors) {
  return fred_write(device, FRED_REG_ERROR, errors);
}

/* ---- Counters, of a switch that has them (FRED_HAS_COUNTERS); else FRED_E_RANGE. ---- */
/* Freezes all counters in one cycle, to be read, and starts them again from 0: nothing is lost between snapshots. */
static inline int fred_snapshot_counters(fred_device *device) {
  if (!fred_below(0, FRED_HAS_COUNTERS)) return FRED_E_RANGE;
  return fred_write(device, FRED_REG_COUNTERS, FRED_COUNTERS_SNAPSHOT_MASK);
}

/* As of the last snapshot; before the first 0. */
static inline int fred_read_beats(fred_device *device, unsigned port, unsigned vc, fred_beat_counts *counts) {
  int code;
  if (!fred_below(port, FRED_RADIX) || !fred_below(vc, FRED_VCS) || !fred_below(0, FRED_HAS_COUNTERS)) {
    return FRED_E_RANGE;
  }
  if ((code = fred_read(device, FRED_REG_BEATS_IN(port, vc), &counts->in)) != FRED_OK) return code;
  return fred_read(device, FRED_REG_BEATS_OUT(port, vc), &counts->out);
}

static inline int fred_read_launches(fred_device *device, unsigned descriptor, fred_launch_counts *counts) {
  int code;
  if (!fred_below(descriptor, FRED_DESCRIPTORS) || !fred_below(0, FRED_HAS_COUNTERS)) return FRED_E_RANGE;
  if ((code = fred_read(device, FRED_REG_LAUNCHES(descriptor), &counts->launches)) != FRED_OK) return code;
  if ((code = fred_read(device, FRED_REG_WAIT_DATA(descriptor), &counts->wait_data)) != FRED_OK) return code;
  if ((code = fred_read(device, FRED_REG_WAIT_EGRESS(descriptor), &counts->wait_egress)) != FRED_OK) return code;
  return fred_read(device, FRED_REG_WAIT_ARBITRATION(descriptor), &counts->wait_arbitration);
}

static inline size_t fred_append(char *buffer, size_t size, size_t length, const char *text) {
  for (; *text != '\0'; ++text, ++length) {
    if (length + 1 < size) buffer[length] = *text;
  }
  if (size > 0) buffer[length < size ? length : size - 1] = '\0';
  return length;
}

/* Error bits in words, "none" for 0, cut off where the buffer ends. Returns the length of the whole text. */
static inline size_t fred_errors_text(uint32_t errors, char *buffer, size_t size) {
  static const struct {
    uint32_t bit;
    const char *text;
  } causes[] = {{FRED_ERROR_CONFLICT_MASK, "conflict: beats that are not of one flow met; descriptors have halted, packets with the error bit are spoiled"},
                {FRED_ERROR_MISMATCH_MASK, "mismatch: operands differ in length or framing; a descriptor has halted"},
                {FRED_ERROR_EPOCH_MASK, "epoch: a beat of another epoch was dropped"},
                {FRED_ERROR_UNKNOWN_MASK, "unknown: a beat is held, its descriptor does not exist or is not enabled"},
                {FRED_ERROR_MEMBER_MASK, "member: a beat is held, its port is no sender of its descriptor"},
                {FRED_ERROR_FRAMING_MASK, "framing: a beat is held, tkeep, tlast or what is constant in a packet is wrong"},
                {FRED_ERROR_VC_MASK, "vc: a beat is held, its virtual circuit is not its descriptor's"},
                {FRED_ERROR_TIMEOUT_MASK, "timeout: a descriptor hangs"},
                {FRED_ERROR_PARITY_MASK, "parity: a table holds a wrong bit, its descriptor has halted"},
                {FRED_ERROR_LINK_MASK, "link: beats of a descriptor were lost on a link, it has halted"}};
  size_t length = 0;
  size_t i;
  if (errors == 0) return fred_append(buffer, size, 0, "none");
  for (i = 0; i < sizeof causes / sizeof causes[0]; ++i) {
    if ((errors & causes[i].bit) == 0) continue;
    if (length > 0) length = fred_append(buffer, size, length, "; ");
    length = fred_append(buffer, size, length, causes[i].text);
    errors &= ~causes[i].bit;
  }
  if (errors != 0) length = fred_append(buffer, size, length, length > 0 ? "; unknown bits" : "unknown bits");
  return length;
}

#ifdef __cplusplus
}
#endif

#endif
