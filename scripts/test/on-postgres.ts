import { sourcesOf } from "./sources.mjs";
import { isOneOf, type Tests } from "./test-files.mjs";

/**
 * What speaks to PostgreSQL itself. What stands on top of it (http, the server, SDKs, examples) sends no other
 * statements, except for readiness (drain), and so tells nothing new of another version.
 */
const speaking: readonly Tests[] = [["packages/engine"], ["packages/postgres"], ["apps/server", "drain"]];

/**
 * These take long for other reasons: every order of two uploads, random histories (whose statements the tests of each
 * move send as well), and PostgreSQL servers of their own.
 */
const exceptions: readonly Tests[] = [
	["packages/engine", "interleavings", "video-life", "video-life.nightly"],
	["packages/postgres", "failover.nightly"],
];

/** What a test reads that makes its databases in the server that the run gives it. */
const serversName = "REELMILL_TEST_DATABASE_URL";

/** Whether a test speaks to the PostgreSQL server that the run gives it. */
export const runsOnGivenPostgres = (file: string): boolean =>
	sourcesOf([file]).some(({ text }) => text.includes(serversName));

/** Whether the run of everything runs a test on the system's PostgreSQL as well as on the embedded one. */
export const runsOnSystemPostgres = (file: string): boolean =>
	!file.endsWith(".s3.test.ts") &&
	speaking.some((tests) => isOneOf(file, tests)) &&
	!exceptions.some((tests) => isOneOf(file, tests)) &&
	runsOnGivenPostgres(file);
