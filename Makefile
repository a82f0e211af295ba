# rodbench: `make help` lists the targets.

BUILD ?= build
CC = gcc
CXX = g++
# Line numbers only: the kernels' full debug information takes longer than their code.
CFLAGS ?= -O2 -g1
CXXFLAGS ?= -O2 -g1
WERROR ?= 0
LDFLAGS ?=
# 0 builds without Google Benchmark and without C++.
SHIM ?= 1
# `own` takes the small one of tests/cross, for CPUs that cmocka is not installed for.
CMOCKA ?= library
# Where `make report` puts its folder.
REPORTS ?= reports

ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

# ---------------------------------------------------------------- what is built for which CPU

machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifeq ($(machine),x86_64)
isas := scalar sse41 avx2 avx512
else ifeq ($(machine),aarch64)
isas := scalar sse41 neon
else
isas := scalar
endif
# For tests: what SIMDe translates for a CPU that it is not written for.
ifneq ($(ISAS),)
isas := $(ISAS)
endif

# SIMDe's headers are for all CPUs, but a compiler for another one does not look where they are.
ifneq ($(machine),$(shell uname -m))
cross := -isystem $(BUILD)/include
$(shell mkdir -p $(BUILD)/include && ln -sfn /usr/include/simde $(BUILD)/include/simde)
endif

# A variant may use its ISA; everything else is built for the oldest CPU of the architecture.
ifeq ($(machine),x86_64)
flags_sse41 := -msse4.1
flags_avx2 := -mavx2 -mfma
flags_avx512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl
flags_neon := -msse4.1
flags_avx512_emulated := -mavx2 -mfma -Wno-psabi
endif

# ---------------------------------------------------------------- flags

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
# No contraction: gcc would fuse even intrinsics, and results would depend on the compiler.
common := -ffp-contract=off -fno-math-errno -fopenmp -fPIC -fvisibility=hidden $(warnings) -Isoa -Ikernels -Ibench \
	$(isas:%=-DROD_HAVE_%=1) $(cross) -MMD -MP
compile_c = $(CC) -std=c17 $(CFLAGS) $(common)
compile_cxx = $(CXX) -std=c++17 $(CXXFLAGS) $(common)
# Kernels are all inlined: line numbers take a sixth of their compiler's time, and so does looking for
# vectors where hands have written them.
ISA_CFLAGS ?= -g0
as_isa = -DROD_ISA=$(1) -DROD_VEC_HEADER='"vec/$(1:_emulated=).h"' $(flags_$(1)) $(ISA_CFLAGS) \
	$(arrangement) $(if $(filter scalar,$(1)),,-fno-tree-vectorize)
ifeq ($(SHIM),1)
link = $(CXX) $(CXXFLAGS) $(LDFLAGS)
ld_libraries = -fopenmp $$(pkg-config --libs benchmark) -lm
else
link = $(CC) $(CFLAGS) $(LDFLAGS)
ld_libraries = -fopenmp -lm
endif

# The order of a kernel's steps decides how long it waits for results, and what does not fit into
# registers. Where the order that is written was found by measuring, a compiler is kept from changing
# it; where a projection is longer than a CPU looks ahead, gcc finds a better one. The others were not
# faster either way, and have the compiler's defaults.
compiler_name := $(if $(findstring clang,$(shell $(CC) --version)),clang,gcc)
ifeq ($(machine) $(compiler_name),x86_64 gcc)
as_written := -fno-gcse -fno-tree-pre -fno-tree-ter
as_written_in := quaternion.avx512
rearranged := -fschedule-insns -fsched-pressure
rearranged_in := quaternion_chunked.avx2 quaternion_wave.avx2 pber.sse41 pber.avx2 pber.avx512 pbd.avx2
else ifeq ($(machine) $(compiler_name),x86_64 clang)
# Not a documented option: not every clang need have it.
as_written := $(shell $(CC) -mllvm -misched-topdown -x c -c /dev/null -o /dev/null 2> /dev/null && \
	echo -mllvm -misched-topdown)
as_written_in := $(foreach isa,avx2 avx512,quaternion.$(isa) pber.$(isa) pbd.$(isa) pber_chunked.$(isa)) \
	quaternion_wave.avx512 pbd_chunked.avx512
endif
arranged_in = $(filter $(basename $(notdir $@)),$(1))
arrangement = $(if $(call arranged_in,$(as_written_in)),$(as_written)) \
	$(if $(call arranged_in,$(rearranged_in)),$(rearranged))
arrangements := $(as_written) $(as_written_in) $(rearranged) $(rearranged_in)

# ---------------------------------------------------------------- sources

methods := quaternion pber pbd
choosing := registry classes identity defaults choice tuned
lib_plain := $(wildcard soa/*.c) $(choosing:%=kernels/%.c) kernels/operations.c \
	$(methods:%=kernels/textbook_%.c)
lib_objects := $(lib_plain:%.c=$(BUILD)/%.o) \
	$(foreach isa,$(isas),$(methods:%=$(BUILD)/kernels/%.$(isa).o))
ifneq ($(filter sse41,$(isas)),)
lib_objects += $(BUILD)/kernels/quaternion_aos.sse41.o
endif
# Of more than one lane.
chunked := $(methods:%=kernels/%_chunked) kernels/quaternion_wave
lib_objects += $(foreach isa,$(filter-out scalar,$(isas)),$(chunked:%=$(BUILD)/%.$(isa).o))
reference_objects := $(BUILD)/kernels/reference/model.o
bench_plain := $(filter-out bench/peak_isa.c bench/bake.c bench/shim_absent.c,$(wildcard bench/*.c))
shim := $(BUILD)/bench/shim$(if $(filter 1,$(SHIM)),,_absent).o
bench_objects := $(bench_plain:%.c=$(BUILD)/%.o) $(shim) \
	$(isas:%=$(BUILD)/bench/peak_isa.%.o) $(reference_objects)
bench_tools := $(filter-out $(BUILD)/bench/main.o,$(bench_objects))

tests := $(patsubst tests/%.c,%,$(filter-out %_isa.c,$(wildcard tests/test_*.c)))
test_programs := $(tests:%=$(BUILD)/tests/%)
e2e_tests := $(wildcard tests/e2e_*.sh)
# Where the CPU has AVX-512, `rodbench verify` runs the kernels themselves.
has_avx512 := $(shell grep -qsw avx512vl /proc/cpuinfo && echo yes)
test_tools := $(BUILD)/tests/client \
	$(if $(has_avx512),,$(if $(filter avx512,$(isas)),$(BUILD)/tests/rodbench-avx512-emulated))
# NEON's operations are tried on x86, too, as SIMDe translates them; its kernels are of ARM builds.
vec_isas := $(sort $(isas) $(if $(filter x86_64,$(machine)),neon)) count $(if $(filter avx512,$(isas)),avx512_emulated)

# ---------------------------------------------------------------- targets

.PHONY: all build test test-page report bench tune lint format clean help deps FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(BUILD)/librod.a $(BUILD)/librod.so $(BUILD)/rodbench

help:
	@echo 'make            library and rodbench into $(BUILD)/'
	@echo 'make test       build and run all tests'
	@echo 'make report     build, verify, measure, and write a page into reports/<cpu>/; QUICK=1 in short'
	@echo 'make tune       measure which variants are the fastest here; the next make bakes them in'
	@echo 'make test-page  a short report into $(BUILD)/reports, and its page in headless Chromium'
	@echo 'make bench      tune unless it is done, time every variant (Google Benchmark, $(BUILD)/bench.json),'
	@echo '                the limits of the hardware and scaling ($(BUILD)/bench/), and check the goals of speed'
	@echo 'make install    static and shared library, rod.h, pkg-config and CMake files, rodbench and its'
	@echo '                man page, under PREFIX (/usr/local); DESTDIR before it; make uninstall'
	@echo 'make lint       clang-format, shellcheck, cppcheck, clang-tidy, a clang build without warnings'
	@echo 'make test-neon test-x86 sanitize fuzz soak coverage test-portable'
	@echo '                other CPUs, sanitizers, fuzzing, long runs: tests/README.md'
	@echo 'make format     let clang-format rewrite the sources'
	@echo 'make clean      remove $(BUILD)/'
	@echo
	@echo 'test, report, tune, bench and lint install what they miss through scripts/install-deps;'
	@echo 'NO_INSTALL=1 skips that. Variables: CC CXX CFLAGS ISA_CFLAGS CXXFLAGS BUILD WERROR=1 V=1.'

test:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory all $(test_programs) $(test_tools)
	@BUILD='$(BUILD)' CC='$(CC)' CXX='$(CXX)' tests/run $(e2e_tests) $(test_programs)

# What is measured is what a tuned build does. Given how long it takes, in words, and options.
tune_unless_tuned = if ! $(BUILD)/rodbench tune --check $(BUILD)/tuned.json >/dev/null 2>&1; then \
		echo 'tuning: $(1)'; \
		$(BUILD)/rodbench tune $(2) --out $(BUILD) >/dev/null && \
		$(MAKE) --no-print-directory all; \
	fi

report:
	@scripts/install-deps build report
	@$(MAKE) --no-print-directory all
	@$(call tune_unless_tuned,$(if $(filter 1,$(QUICK)),ten seconds,half a minute),--quick $(if $(filter 1,$(QUICK)),--time 6))
	@scripts/report --rodbench $(BUILD)/rodbench --reports $(REPORTS) $(if $(filter 1,$(QUICK)),--quick)

tune:
	@scripts/install-deps build
	@$(MAKE) --no-print-directory all
	@$(BUILD)/rodbench tune --out $(BUILD)

# The whole of `make report`, in short, and what it made in headless Chromium.
test-page:
	@scripts/install-deps browser
	@rm -rf $(BUILD)/reports
	@$(MAKE) --no-print-directory QUICK=1 REPORTS=$(BUILD)/reports report
	@tests/browser.py $(BUILD)/reports/*/*/report.html

bench:
	@scripts/install-deps build
	@$(MAKE) --no-print-directory all
	@$(call tune_unless_tuned,a minute and a half,)
	$(BUILD)/rodbench bench --benchmark_out=$(BUILD)/bench.json --benchmark_out_format=json
	$(BUILD)/rodbench table limits --rounds 31 --out $(BUILD)/bench
	$(BUILD)/rodbench table scaling --out $(BUILD)/bench
	$(BUILD)/rodbench table chosen --out $(BUILD)/bench
	@echo
	@scripts/check-goals.py $(BUILD)/bench

# clang finds its warnings before it optimises; `make test-portable` runs what it makes at -O2 and -O3.
lint:
	@scripts/install-deps build test lint
	@$(MAKE) --no-print-directory CC=clang CXX=clang++ BUILD=$(BUILD)/clang WERROR=1 \
		CFLAGS='-O0 -g0' CXXFLAGS='-O0 -g0' all $(test_programs:$(BUILD)/%=$(BUILD)/clang/%)
	@BUILD=$(BUILD)/clang scripts/lint

format:
	git ls-files '*.c' '*.h' '*.cc' | xargs clang-format -i

clean:
	rm -rf $(BUILD)

# ---------------------------------------------------------------- rules

# A file so that objects are rebuilt when flags or compiler change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(compile_c) | $(ISA_CFLAGS) | $(arrangements) | $(compile_cxx))' | cmp -s - $@ || \
		echo '$(subst ','\'',$(compile_c) | $(ISA_CFLAGS) | $(arrangements) | $(compile_cxx))' > $@

# Baselines get what a compiler can do: PBER's matrices take 2.4 times as long without.
$(BUILD)/kernels/textbook_%.o: common += -O3

# What `rodbench info` says it was built from.
$(BUILD)/commit.h: FORCE
	@mkdir -p $(@D)
	@printf '#define ROD_COMMIT "%s"\n' \
		"$$(git describe --always --dirty --abbrev=10 2>/dev/null || echo unknown)" > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/bench/machine.o: $(BUILD)/commit.h
$(BUILD)/bench/machine.o: common += -I$(BUILD)

# What tuned choices are true for: the kernels and how they are compiled.
kernel_sources := $(filter-out $(choosing:%=kernels/%.c) $(choosing:%=kernels/%.h), \
	$(sort $(wildcard kernels/*.[ch] kernels/vec/*.h)))
$(BUILD)/sources_digest.h: FORCE
	@mkdir -p $(@D)
	@printf '#define ROD_SOURCES_DIGEST "%s"\n' \
		"$$( (echo '$(subst ','\'',$(CFLAGS) $(arrangements))'; cat $(kernel_sources)) | \
			{ sha256sum 2>/dev/null || shasum -a 256 2>/dev/null || cksum; } | \
			cut -d ' ' -f 1)" > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/kernels/identity.o: $(BUILD)/sources_digest.h
$(BUILD)/kernels/tuned.o: $(BUILD)/tuned.h
$(BUILD)/kernels/identity.o $(BUILD)/kernels/tuned.o: common += -I$(BUILD)

# Tuned choices are baked in if they hold for this build on this machine: see bench/bake.c, which
# asks the very kernels that they are for. After tuning, one object is compiled again. A cross build
# cannot ask.
ifeq ($(cross),)
$(BUILD)/tuned.h: $(BUILD)/bake FORCE
	@$(BUILD)/bake $(BUILD)/tuned.json $@
else
$(BUILD)/tuned.h: FORCE
	@mkdir -p $(@D)
	@test ! -e $(BUILD)/tuned.json || echo '$(BUILD)/tuned.json is not used in a cross build' >&2
	@echo '/* No tuned choices: this is a cross build. */' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endif
bake_objects := $(patsubst %,$(BUILD)/bench/%.o,bake tuned_file json_read outfile) \
	$(filter-out $(patsubst %,$(BUILD)/kernels/%.o,choice defaults tuned operations), \
		$(filter $(BUILD)/kernels/%,$(lib_objects)))

$(BUILD)/bake: $(bake_objects)
	$(call quietly,LD )$(CC) $(CFLAGS) $^ -fopenmp -lm -o $@

# What the papers published, as data in the program: it has no files to look for when it runs.
$(BUILD)/published_rows.h: reports/published.csv scripts/published-to-c
	@mkdir -p $(@D)
	$(call quietly,GEN)scripts/published-to-c $< > $@

# Where `rodbench tune` writes to when it is not told.
$(BUILD)/bench/command_tune.o: common += -DROD_BUILD_FOLDER='"$(BUILD)"'

$(BUILD)/bench/published.o: $(BUILD)/published_rows.h
$(BUILD)/bench/published.o: common += -I$(BUILD)

# One short line for each command; V=1 shows them whole.
ifneq ($(V),1)
quietly = @echo '  $(1) $@';
endif

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quietly,CC )$(compile_c) -c $< -o $@

$(BUILD)/%.o: %.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quietly,CXX)$(compile_cxx) -c $< -o $@

define isa_rules
$(BUILD)/%.$(1).o: %.c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call quietly,CC )$$(compile_c) $$(call as_isa,$(1)) -c $$< -o $$@
endef
$(foreach isa,$(sort $(isas) neon) count avx512_emulated,$(eval $(call isa_rules,$(isa))))

$(BUILD)/librod.a: $(lib_objects)
	@rm -f $@
	$(call quietly,AR )$(AR) rcs $@ $^

$(BUILD)/rodbench: $(bench_objects) $(BUILD)/librod.a
	$(call quietly,LD )$(link) $^ $(ld_libraries) -o $@

include soa/install.mk

# ---------------------------------------------------------------- tests

$(BUILD)/tests/test_vec: $(vec_isas:%=$(BUILD)/tests/test_vec_isa.%.o) \
	$(patsubst %,$(BUILD)/tests/test_vec_twice_isa.%.o,$(filter-out scalar count,$(vec_isas)))
$(BUILD)/tests/test_vec.o: common += $(filter-out $(isas:%=-DROD_HAVE_%=1),$(vec_isas:%=-DROD_HAVE_%=1))

ifeq ($(CMOCKA),own)
common += -Itests/cross
$(test_programs): $(BUILD)/tests/cross/cmocka.o
else
cmocka := -lcmocka
endif

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(bench_tools) $(BUILD)/librod.a
	$(call quietly,LD )$(link) $^ $(cmocka) $(ld_libraries) -o $@

# rodbench with AVX-512 translated to AVX2 by SIMDe, so that a machine without it can verify the
# sixteen lanes. For the tests only: wider than the machine's vectors, it is slow.
emulated := $(filter-out %/kernels/registry.o %.avx512.o,$(bench_objects) $(lib_objects)) \
	$(patsubst %,$(BUILD)/%.avx512_emulated.o,$(methods:%=kernels/%) \
		$(chunked) bench/peak_isa kernels/registry)
$(BUILD)/kernels/%.avx512_emulated.o $(BUILD)/bench/%.avx512_emulated.o: \
	as_isa = -DROD_ISA=avx512 -DROD_VEC_HEADER='"vec/avx512.h"' $(flags_avx512_emulated) \
		-DROD_EMULATED_AVX512=1

$(BUILD)/tests/rodbench-avx512-emulated: $(emulated)
	$(call quietly,LD )$(link) $^ $(ld_libraries) -o $@

# The README's example, compiled as a user would.
$(BUILD)/tests/client.c: README.md
	@mkdir -p $(@D)
	@awk '/^```c$$/ { on = 1; next } /^```$$/ { on = 0 } on' $< > $@

$(BUILD)/tests/client: $(BUILD)/tests/client.c $(BUILD)/librod.a
	$(call quietly,CC )$(CC) -std=c17 $(CFLAGS) -Wall -Wextra -Wpedantic -Werror -Isoa $< $(BUILD)/librod.a -fopenmp -lm -o $@

include tests/platforms.mk tests/analysis.mk

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
