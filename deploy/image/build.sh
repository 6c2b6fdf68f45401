#!/bin/sh
# Runs in the Containerfile's first stage. Builds the packages, and lays out in /opt/reelmill what the image runs.
set -eu
export CURL_CA_BUNDLE="$CERTIFICATES" NODE_EXTRA_CA_CERTS="$CERTIFICATES" NPM_CONFIG_REGISTRY="$REGISTRY" CI=true

case $(uname -m) in
	x86_64) machine=linux-x64 ;;
	aarch64) machine=linux-arm64 ;;
	*) echo "There is no Node for $(uname -m) among the dependencies." >&2 && exit 1 ;;
esac

# The Node that pnpm-lock.yaml names, by its checksum there.
version=$(sed -n "s/.*\"node-$machine\": \"\(.*\)\".*/\1/p" package.json)
wanted=$(grep -A1 "^  node-$machine@$version:" pnpm-lock.yaml | sed -n 's/.*sha512-\([^}]*\)}.*/\1/p')
curl -fsSL "$REGISTRY/node-$machine/-/node-$machine-$version.tgz" -o /tmp/node.tgz
[ "$(openssl dgst -sha512 -binary /tmp/node.tgz | base64 -w0)" = "$wanted" ]
tar -xzf /tmp/node.tgz -C /usr/local --strip-components=1 package/bin/node
strip /usr/local/bin/node

# The pnpm that scripts/setup/dependencies.mjs names.
version=$(sed -n 's/.*pnpm = "pnpm@\(.*\)".*/\1/p' scripts/setup/dependencies.mjs)
curl -fsSL "$REGISTRY/@pnpm/exe.$machine/-/exe.$machine-$version.tgz" |
	tar -xz -C /usr/local/bin --strip-components=1 package/pnpm
install() { pnpm install --frozen-lockfile "$@"; }

install
node scripts/packages/prepack.mjs
# What the programs run, and nothing that only builds and tests need.
rm -rf node_modules apps/*/node_modules packages/*/node_modules
install --prod --prefer-offline --config.node-linker=hoisted --filter '@reelmill/server...' --filter '@reelmill/transcoder...'
node scripts/image/lay-out.ts /opt/reelmill
