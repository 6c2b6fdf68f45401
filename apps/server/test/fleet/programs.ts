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
