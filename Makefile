# Qolumn. `make build`, `make test`, `make demo`, `make bench`, `make fuzz`.
# Needs git, a C compiler, Python 3, and cargo; without cargo, curl fetches the toolchain that rust-toolchain.toml names.

CARGO := $(shell command -v cargo || echo $(HOME)/.cargo/bin/cargo)
FUZZ_SECONDS ?= 60

export DB ROWS

.PHONY: build test demo bench fuzz clean
.DEFAULT_GOAL := build

$(CARGO):
	curl -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --default-toolchain none

build: $(CARGO)
	$(CARGO) build --release

test: build
	@PATH="$(dir $(CARGO)):$$PATH" python3 tests/run.py

demo: build
	@python3 demo/run.py

bench: build
	@python3 benches/run.py && python3 benches/interpreter.py

# Every target for FUZZ_SECONDS. The pinned compiler is told to take the flags that fuzzing needs.
fuzz: $(CARGO)
	@command -v cargo-fuzz >/dev/null || $(CARGO) install --locked cargo-fuzz
	@cd fuzz && for target in $$($(CARGO) fuzz list --fuzz-dir .); do \
		echo "== $$target, $(FUZZ_SECONDS) s"; \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --fuzz-dir . $$target -- -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=4096 || exit 1; \
	done

clean:
	$(CARGO) clean
	rm -rf build
