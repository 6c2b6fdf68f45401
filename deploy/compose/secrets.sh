#!/bin/sh
# Makes the secrets of compose.yaml, once, in the file .env beside it: sh deploy/compose/secrets.sh [DOMAIN]
# DOMAIN is the name by which browsers reach the machine (default: localhost, with a certificate of Caddy's own).
# Keep the file: whoever has it has the installation, and without it nobody can read what is stored.
set -eu
file="$(dirname "$0")/../../.env"
if [ -e "$file" ]; then
	echo "$file is there already, and was left as it is." >&2
	exit 1
fi
secret() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }
umask 077
cat >"$file.new" <<END
REELMILL_DOMAIN=${1:-localhost}
REELMILL_MASTER_KEY=$(secret)
REELMILL_ADMIN_KEY=$(secret)
REELMILL_CONSOLE_SECRET=$(secret)
REELMILL_SERVICE_SECRET=$(secret)
DATABASE_PASSWORD=$(secret)
STORAGE_SECRET=$(secret)
END
mv "$file.new" "$file"
echo "The secrets are in $file. Next: docker compose up" >&2
