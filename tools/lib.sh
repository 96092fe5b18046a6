# Shared by the scripts in this folder; sourced, with the checkout as the working directory afterwards.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# What is fetched or built once for all checkouts: compilers' parts, tools, compiled dependencies. Safe to delete.
cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set: set it, or XDG_CACHE_HOME}/.cache}/sidedeck
target=${CARGO_TARGET_DIR:-$root/target}
site=$root/target/site
mkdir -p "$cache" "$root/target"

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || fail "$1 is missing: $2"; }

# The version of a crate in Cargo.lock.
locked() { sed -n "/^name = \"$1\"\$/{n;s/^version = \"\(.*\)\"\$/\1/p;q}" Cargo.lock; }

# One id for client and server: a hash of everything that goes into either.
build_id() {
  { find .cargo Cargo.toml Cargo.lock build.rs src style public -type f 2>/dev/null || true; } | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c1-12
}

# Installs Debian packages, or says what to install: apt_install WHAT PACKAGE...
apt_install() {
  local what=$1; shift
  command -v apt-get >/dev/null || fail "$what is missing and this is no Debian: install it by your system's means."
  [ "$(id -u)" = 0 ] || fail "$what is missing: run 'sudo apt-get install $*' and try again."
  say "$what: apt-get install $* (about a minute)"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >"$cache/apt.log" 2>&1 ||
    fail "apt-get could not install $*: see $cache/apt.log, mend that and try again."
}

# The locked npm packages of a folder, fetched when its lockfile has changed.
npm_ci() {
  need npm "install Node 20 or newer with npm."
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed" && return
  say "$1: npm ci (about 20 s)"
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefix "$1" --no-fund --no-audit --loglevel=error >&2 ||
    fail "npm ci failed in $1: look at the lines above; most often the network or a proxy is the cause."
  cp "$1/package-lock.json" "$1/node_modules/.installed"
}
