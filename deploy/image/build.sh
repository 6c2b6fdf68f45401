#!/bin/sh
# Runs in the Containerfile's first stage. Builds the packages, and lays out in /opt/reelmill what the image runs.
set -eu
export CURL_CA_BUNDLE="$CERTIFICATES" NODE_EXTRA_CA_CERTS="$CERTIFICATES" NPM_CONFIG_REGISTRY="$REGISTRY" CI=true

case $(uname -m) in
	x86_64) machine=linux-x64 pnpm=8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ== ;;
	aarch64) machine=linux-arm64 pnpm=4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA== ;;
	*) echo "There is no Node for $(uname -m) among the dependencies." >&2 && exit 1 ;;
esac

# Unpacks a file of a package into a folder: unpack URL CHECKSUM FOLDER FILE
unpack() {
	curl -fsSL "$REGISTRY/$1" -o /tmp/package.tgz
	[ "$(openssl dgst -sha512 -binary /tmp/package.tgz | base64 -w0)" = "$2" ] ||
		{ echo "$1 is not what its checksum says." >&2 && exit 1; }
	tar -xzf /tmp/package.tgz -C "$3" --strip-components=1 "package/$4"
}

# The Node that pnpm-lock.yaml names, by its checksum there.
version=$(sed -n "s/.*\"node-$machine\": \"\(.*\)\".*/\1/p" package.json)
wanted=$(grep -A1 "^  node-$machine@$version:" pnpm-lock.yaml | sed -n 's/.*sha512-\([^}]*\)}.*/\1/p')
unpack "node-$machine/-/node-$machine-$version.tgz" "$wanted" /usr/local bin/node
strip /usr/local/bin/node

# The pnpm that scripts/setup/dependencies.mjs names: a new version needs its checksums above.
version=$(sed -n 's/.*pnpm = "pnpm@\(.*\)".*/\1/p' scripts/setup/dependencies.mjs)
unpack "@pnpm/exe.$machine/-/exe.$machine-$version.tgz" "$pnpm" /usr/local/bin pnpm
install() { pnpm install --frozen-lockfile "$@"; }

install
node scripts/packages/prepack.mjs
# What the programs run, and nothing that only builds and tests need.
rm -rf node_modules apps/*/node_modules packages/*/node_modules
install --prod --prefer-offline --config.node-linker=hoisted --filter '@reelmill/server...' --filter '@reelmill/transcoder...'
node scripts/image/lay-out.ts /opt/reelmill
node scripts/image/list-contents.ts /opt/reelmill/sbom.cdx.json
