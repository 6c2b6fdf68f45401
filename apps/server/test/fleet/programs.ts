import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { processEnvironment } from "../support/process-environment.ts";

const main = (app: string) => fileURLToPath(new URL(`../../../${app}/src/main.ts`, import.meta.url));

/** The image's commands, and the programs of the tree that they stand for. */
export const programs: Readonly<Record<string, string>> = {
	"reelmill-server": main("server"),
	"reelmill-transcoder": main("transcoder"),
};

/** Returns the names of a program's settings. */
export async function settingsOf(command: string): Promise<ReadonlySet<string>> {
	const asked = [programs[command] ?? command, "--help"];
	const { stdout } = await promisify(execFile)(process.execPath, asked, { env: processEnvironment });
	return new Set(Array.from(stdout.matchAll(/^ {2}(REELMILL_\w+) \(/gm), ([, name = ""]) => name));
}

/**
 * Settings that compose.yaml and the chart set for the programs of the same release, and that come with other changes.
 * Each goes from here once its program has it.
 */
const awaited: Readonly<Record<string, readonly string[]>> = {
	"reelmill-transcoder": ["REELMILL_OPS_HOST", "REELMILL_OPS_PORT"],
};

/** Returns the names of a program's settings, with those that it will have. */
export const settingsOfRelease = async (command: string): Promise<ReadonlySet<string>> =>
	new Set([...(await settingsOf(command)), ...(awaited[command] ?? [])]);
