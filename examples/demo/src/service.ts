import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answers, freePort, startProgram } from "../../../scripts/programs/program.ts";

export type Service = { readonly baseUrl: string; readonly apiKey: string; stop(): Promise<unknown> };

const main = fileURLToPath(new URL("../../../apps/server/src/main.ts", import.meta.url));

/**
 * Starts the reference server in its own process, with these settings only, and waits until it answers. It may send
 * webhooks to this machine.
 *
 * @throws {Error} with the server's output, when it doesn't start.
 */
export async function startService(
	dataDirectory: string,
	environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
	const port = await freePort();
	const baseUrl = `http://127.0.0.1:${port}`;
	const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("REELMILL_")));
	const server = startProgram(process.execPath, [main], {
		env: {
			...inherited,
			REELMILL_PORT: String(port),
			REELMILL_DATA_DIR: dataDirectory,
			REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
			...environment,
		},
		stdio: ["ignore", "ignore", "pipe"],
	});
	await server.until(() => answers(`${baseUrl}/v1/health`));
	const apiKey = (await readFile(join(dataDirectory, "tenant.key"), "utf8")).trim();
	return { baseUrl, apiKey, stop: server.stop };
}

/**
 * Returns your Reelmill, if `SERVICE_URL` and `SERVICE_KEY` name one. Otherwise it starts one as `startService` does,
 * on the PostgreSQL of `DATABASE_URL` or its own, with its data in `DIRECTORY` (default: `directory`).
 */
export async function serviceFor(environment: NodeJS.ProcessEnv, directory: string): Promise<Service> {
	const { SERVICE_URL, SERVICE_KEY, DIRECTORY = directory, DATABASE_URL } = environment;
	if (SERVICE_URL && SERVICE_KEY) return { baseUrl: SERVICE_URL, apiKey: SERVICE_KEY, stop: async () => {} };
	console.log("Starting a Reelmill.");
	return startService(DIRECTORY, DATABASE_URL ? { REELMILL_DATABASE_URL: DATABASE_URL } : {});
}
