# The shared library, and what `make install` leaves for programs that link librod.
#
#     make install PREFIX=/usr/local DESTDIR=   also LIBDIR, INCLUDEDIR, BINDIR, MANDIR
#
# A cross build installs the library alone; INSTALL_RODBENCH=1 SHIM=0 adds rodbench without Google
# Benchmark.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
INSTALL ?= install
INSTALL_RODBENCH ?= $(if $(cross),0,1)

version := $(shell sed -n 's/^\#define ROD_VERSION "\(.*\)"/\1/p' soa/rod.h)
# Before 1.0 the binary interface may change with every minor version, and the name says so.
abi := $(word 1,$(subst ., ,$(version))).$(word 2,$(subst ., ,$(version)))
shared := librod.so.$(version)
soname := librod.so.$(abi)
cmakedir = $(LIBDIR)/cmake/rod

# Only what rod.h declares is visible from outside (-fvisibility=hidden).
$(BUILD)/$(shared): $(lib_objects)
	$(call quietly,LD )$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(soname) -Wl,--no-undefined \
		$^ -fopenmp -lm -o $@

$(BUILD)/librod.so: $(BUILD)/$(shared)
	@ln -sf $(shared) $(BUILD)/$(soname)
	@ln -sf $(soname) $@

# Templates with @NAME@. CMake finds the headers from where its own files are, so that an installed
# tree may be moved.
fill = sed -e 's|@VERSION@|$(version)|g' -e 's|@ABI@|$(abi)|g' -e 's|@PREFIX@|$(PREFIX)|g' \
	-e 's|@LIBDIR@|$(LIBDIR)|g' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|g' -e 's|@SHARED@|$(shared)|g' \
	-e "s|@INCLUDE_FROM_LIB@|$$(realpath -m --relative-to='$(LIBDIR)' '$(INCLUDEDIR)')|g"

installed = $(INCLUDEDIR)/rod.h $(LIBDIR)/librod.a $(LIBDIR)/$(shared) $(LIBDIR)/$(soname) \
	$(LIBDIR)/librod.so $(LIBDIR)/pkgconfig/rod.pc $(cmakedir)/rodConfig.cmake \
	$(cmakedir)/rodConfigVersion.cmake $(BINDIR)/rodbench $(MANDIR)/man1/rodbench.1

.PHONY: install uninstall

install: $(BUILD)/librod.a $(BUILD)/librod.so $(if $(filter 1,$(INSTALL_RODBENCH)),$(BUILD)/rodbench)
	$(INSTALL) -d '$(DESTDIR)$(INCLUDEDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(cmakedir)'
	$(INSTALL) -m 644 soa/rod.h '$(DESTDIR)$(INCLUDEDIR)/rod.h'
	$(INSTALL) -m 644 $(BUILD)/librod.a '$(DESTDIR)$(LIBDIR)/librod.a'
	$(INSTALL) -m 755 $(BUILD)/$(shared) '$(DESTDIR)$(LIBDIR)/$(shared)'
	ln -sf $(shared) '$(DESTDIR)$(LIBDIR)/$(soname)'
	ln -sf $(soname) '$(DESTDIR)$(LIBDIR)/librod.so'
	$(fill) soa/rod.pc.in > '$(DESTDIR)$(LIBDIR)/pkgconfig/rod.pc'
	$(fill) soa/rodConfig.cmake.in > '$(DESTDIR)$(cmakedir)/rodConfig.cmake'
	$(fill) soa/rodConfigVersion.cmake.in > '$(DESTDIR)$(cmakedir)/rodConfigVersion.cmake'
ifeq ($(INSTALL_RODBENCH),1)
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1'
	$(INSTALL) -m 755 $(BUILD)/rodbench '$(DESTDIR)$(BINDIR)/rodbench'
	$(fill) bench/rodbench.1 > '$(DESTDIR)$(MANDIR)/man1/rodbench.1'
endif

# Folders that others use as well stay, unless nothing is left in them.
uninstall:
	rm -f $(patsubst %,'$(DESTDIR)%',$(installed))
	@for folder in '$(cmakedir)' '$(LIBDIR)/cmake' '$(LIBDIR)/pkgconfig' '$(LIBDIR)' \
		'$(INCLUDEDIR)' '$(BINDIR)' '$(MANDIR)/man1' '$(MANDIR)' '$(PREFIX)/share' '$(PREFIX)'; do \
		rmdir '$(DESTDIR)'"$$folder" 2>/dev/null || true; done
