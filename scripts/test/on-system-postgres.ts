import { textsOf } from "./source-texts.mjs";
import { isOneOf, type Tests } from "./test-files.mjs";

/** What speaks to PostgreSQL itself. SDKs and examples on top of it tell nothing new of another version. */
const speaking: readonly Tests[] = [["packages/engine"], ["packages/postgres"], ["packages/http"], ["apps/server"]];

/**
 * What these ask of a server is asked by others, too. They take long for other reasons: ffmpeg, proxies, servers of
 * their own, whole restores, files by the hundred, and requests or connections by the thousand that are refused before
 * they reach the database.
 */
export const exceptions: readonly Tests[] = [
	["apps/server", "behind-nginx", "start-engine", "broken-disk", "confinement", "lock", "descriptors", "failover"],
	["apps/server", "half-open", "hostile-buckets", "late-transcripts", "leftovers", "names-that-hang", "restore-guide"],
	["apps/server", "main", "transcripts", "wrong-clocks"],
	["packages/engine", "check", "interleavings"],
	["packages/http", "bad-input", "chunks", "killed-worker", "large-archive", "lost-lock", "playable-first"],
	["packages/postgres", "failover"],
];

/** What a test reads that makes its databases in the server that the run gives it. */
const serversName = "REELMILL_TEST_DATABASE_URL";

/**
 * Whether the run of everything runs a test on the system's PostgreSQL as well as on the embedded one: the test speaks
 * to the server that it is given.
 */
export const runsOnSystemPostgres = (file: string): boolean =>
	!file.endsWith(".s3.test.ts") &&
	speaking.some((tests) => isOneOf(file, tests)) &&
	!exceptions.some((tests) => isOneOf(file, tests)) &&
	textsOf([file]).some((text) => text.includes(serversName));
