import { isOneOf } from "./test-files.mjs";

/**
 * The long tests: media, random histories, stores that break, servers that are killed. They make up vitest's projects
 * `long`, `long-database`, `long-storage` and `long-page`, which `npm run test:fast` leaves out. The rows
 * that take longest come first, because the whole run begins with them.
 * @type {readonly import("./test-files.mjs").Tests[]}
 */
export const longTests = [
	["packages/media", "every-kind-of-source", "append-outro"],
	["faults", "short-run"],
	["packages/http", "silence.s3"],
	["apps/server", "main", "interrupted-transcoders"],
	["packages/media", "players", "chunked-encode"],
	["packages/worker", "worker", "outro"],
	["packages/engine", "interleavings", "video-life"],
	["packages/http", "bad-input", "lost-lock", "chunks"],
	["packages/media", "declared-length", "process"],
	["apps/server", "hostile-buckets", "half-open"],
	["apps/server", "ends", "starts", "one-port", "waiting-claims"],
	[
		"packages/storage-s3",
		"uploads.s3",
		"random.s3",
		"outputs.s3",
		"silent-puts.s3",
		"silent-uploads.s3",
		"own-gateway.s3",
	],
	["packages/storage-s3", "upload-store.s3", "object-storage.s3"],
	["apps/server", "compose-fleet"],
	["examples/demo"],
	["examples/fastify-engine"],
	["examples/embedding"],
	["examples/plain-html"],
	["packages/media"],
	["packages/worker"],
	["packages/cli", "tenant", "operator", "dev"],
	["packages/engine", "publications"],
	["packages/postgres", "lost-connections", "embedded-postgres", "rate-limiter", "sessions", "failover", "conformance"],
	["packages/http", "processing.s3", "playback.s3", "upload.s3", "worker-outputs.s3"],
	["apps/server", "wrong-clocks", "restore-guide", "listener", "lock", "broken-disk", "drain", "config", "console"],
	[
		"apps/server",
		"late-transcripts",
		"start-engine",
		"transcripts",
		"confinement",
		"behind-caddy",
		"behind-nginx",
		"failover",
		"buckets.s3",
	],
	["apps/transcoder"],
	["packages/console"],
	["packages/browser", "playback.browser", "uploads-over-faults.browser", "player.browser"],
	["packages/node", "page.browser"],
	["packages/elements"],
	["packages/react"],
	["packages/conformance", "readme"],
	["packages/testing", "create-test-reelmill", "runners", "snapshot"],
	[
		"packages/http",
		"described-answers",
		"bad-transfers",
		"from-files",
		"playable-first",
		"killed-worker",
		"slow-viewers",
	],
	["packages/engine", "ends-in-each-state", "batches", "rows-end", "check"],
	["packages/storage-s3", "copy-object.s3", "gateway.s3", "killed-process.s3"],
	["packages/http", "public-folder.s3", "from-buckets.s3", "outros"],
	["packages/storage-local", "conformance"],
	["scripts/upgrade"],
	["fuzz", "cases", "finds-faults"],
	["faults", "campaign"],
];

/**
 * Returns the row of {@link longTests} that a test belongs to; `longTests.length` if it is a short one.
 * @param {string} file a path from the root
 */
export function rowOfLongTest(file) {
	const row = longTests.findIndex((tests) => isOneOf(file, tests));
	return row === -1 ? longTests.length : row;
}

/**
 * Whether `npm run test:fast` leaves a test out.
 * @param {string} file a path from the root
 */
export const isLongTest = (file) => rowOfLongTest(file) < longTests.length;
