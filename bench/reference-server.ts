import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "../scripts/programs/program.ts";

const main = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url));

/** A reference server, and where it listens: for everybody, and for operators. */
type ReferenceServer = Program & { readonly url: string; readonly operations: string };

/**
 * Starts a reference server with these settings alone, and waits until it is ready.
 *
 * @throws {Error} when it ends before, with what it printed.
 */
export async function startReferenceServer(settings: NodeJS.ProcessEnv): Promise<ReferenceServer> {
	const env = { PATH: process.env.PATH, REELMILL_PORT: "0", REELMILL_OPS_PORT: "0", ...settings };
	const server = startProgram(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
	await server.until((said) => said.includes("Reelmill is ready."));
	const found = (pattern: RegExp): string => pattern.exec(server.said())?.[1] ?? "";
	const operations = `http://127.0.0.1:${found(/Operations +port (\d+)/)}`;
	return { ...server, url: found(/(http:\S+)\/v1\/health/), operations };
}
