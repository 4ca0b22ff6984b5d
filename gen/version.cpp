// SPDX-License-Identifier: Apache-2.0
#include "fred/version.hpp"

const char* fred::version() { return FRED_VERSION; }
