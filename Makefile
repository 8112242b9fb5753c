# Lapwing's commands. `make` alone lists them.
# Works with GNU make 3.81 (macOS) and any POSIX shell.

.DEFAULT_GOAL := help
.PHONY: help run dev observe demo demo-clear backup restore backup-check test test-fast e2e chaos load load-k6 check chart-check images kube-e2e format generate bench bench-leaderboard fuzz fuzz-api screenshot clean clean-all install

# Each recipe replaces its shell by the Node process, so that Ctrl-C and `kill` reach Node directly.
NODE = . services/local/use-node.sh; exec node

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile

run: install ## Start Lapwing on this machine (PORT=8080)
	@$(NODE) services/local/run.ts

dev: install ## Start Lapwing for development: reloads changed code (PORT=5173)
	@$(NODE) services/local/dev.ts

observe: install ## Start Prometheus beside `make run`, with the alerts (OBSERVE_PORT=9090)
	@$(NODE) services/local/observe/main.ts

demo: install ## Fill the boards of a running Lapwing with generated drivers
	@$(NODE) services/local/demo/main.ts

demo-clear: install ## Remove the generated drivers
	@$(NODE) services/local/demo/main.ts --clear

backup: install ## Back up what `make run` stores (DIR=../backups KEEP_BACKUPS=14)
	@$(NODE) services/local/backup/main.ts backup

restore: install ## Restore it into an empty Lapwing (DIR=../backups BACKUP=name ARGS="--replace --send-pending")
	@$(NODE) services/local/backup/main.ts restore $(BACKUP) $(ARGS)

backup-check: install ## Read a backup to its last byte (DIR=../backups BACKUP=name)
	@$(NODE) services/local/backup/main.ts check $(BACKUP)

test: install ## Run all tests, those in a browser too (FILES="a.test.ts ..." for some)
	@$(NODE) services/checks/test.ts $(FILES)

test-fast: install ## Run the unit and service tests that need no browser and little time (FILES=... for some)
	@$(NODE) services/checks/test.ts --fast $(FILES)

e2e: install ## Run only the tests in a browser (FILES=... for some)
	@$(NODE) services/checks/test.ts $(if $(FILES),$(FILES),services/e2e)

chaos: install ## Upload files while parts of Lapwing fail, then recount the boards (TRIALS=1000 SEED=... HISTORIES=10000)
	@$(NODE) services/chaos/src/main.ts

load: install ## Load Lapwing with arriving drivers (SCENARIO=browse|ingest|mixed RATE=5-50 DURATION=15 SEARCH=true TARGET=...)
	@$(NODE) services/load/src/runner/main.ts

load-k6: install ## Bundle the load scripts for k6, with a pack of files (FILES=200 DRIVERS=60)
	@$(NODE) services/load/src/k6/main.ts

check: install ## Check types, style, contracts, generated code and imports (ONLY="types words" for some)
	@$(NODE) services/checks/check.ts $(ONLY)

chart-check: install ## Check what the chart renders, with Helm, kubeconform, kube-score and checkov (KUBE_SCHEMAS=...)
	@$(NODE) services/checks/check.ts chart

images: install ## Build all images of the chart (IMAGE_BUILD="docker build ..." IMAGE_REGISTRY=localhost IMAGE_TAG=e2e)
	@$(NODE) services/kube/src/images/main.ts

kube-e2e: install ## Try chart and images on the cluster of KUBECONFIG (KUBE_UP=... IMAGE_BUILD=... STEPS=..., see services/kube)
	@$(NODE) services/kube/src/main.ts

format: install ## Rewrite files in the house style
	@. services/local/use-node.sh; exec biome check --write --colors=off --diagnostic-level=error .

generate: install ## Generate the code from openapi/ and proto/, and the chart's schema and README
	@$(NODE) services/checks/generate.ts

bench: install ## Measure speed and memory (ARGS="...")
	@$(NODE) services/bench/main.ts $(ARGS)

bench-leaderboard: install ## Measure ranks and pages of boards of a million and ten million drivers (ARGS="...")
	@$(NODE) services/bench/main.ts leaderboard $(ARGS)

fuzz: install ## Feed a million broken files to the parser (FUZZ_RUNS=1000000)
	@FUZZ_RUNS=$(or $(FUZZ_RUNS),1000000); export FUZZ_RUNS; \
	$(NODE) --test services/lib/telemetry/ibt/fuzz.test.ts

fuzz-api: install ## Send made-up requests to identity and account (ARGS="--seed 1 --examples 100")
	@$(NODE) services/e2e/contract-fuzz/main.ts $(ARGS)

screenshot: install ## Take the README's screenshot (WIDTH=390 for a picture of that width in .lapwing)
	@$(NODE) services/e2e/screenshot.ts

clean: ## Remove what was built, and the data and logs of `make run`
	@rm -rf .lapwing frontend/dist

clean-all: clean ## Remove the installed packages and tools too
	@rm -rf .tools node_modules openapi/node_modules

# These targets need the object store too.
run dev backup restore test test-fast e2e chaos load kube-e2e: STORE = object-store

# Installs Node 24 and the packages; every target that needs them depends on this one.
install:
	@services/local/install.sh $(STORE)
