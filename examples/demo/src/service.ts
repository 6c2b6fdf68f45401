import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Service = { readonly baseUrl: string; readonly apiKey: string; stop(): Promise<void> };

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
	const child = spawn(process.execPath, [main], {
		env: {
			...inherited,
			REELMILL_PORT: String(port),
			REELMILL_DATA_DIR: dataDirectory,
			REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
			...environment,
		},
		stdio: ["ignore", "ignore", "pipe"],
	});
	let said = "";
	child.stderr?.on("data", (text: Buffer) => {
		said = (said + text.toString()).slice(-4000);
	});
	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGTERM");
		await once(child, "exit");
	};
	try {
		await healthy(baseUrl, child, () => said);
		return { baseUrl, apiKey: (await readFile(join(dataDirectory, "tenant.key"), "utf8")).trim(), stop };
	} catch (error) {
		await stop();
		throw error;
	}
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

async function healthy(baseUrl: string, child: ChildProcess, said: () => string): Promise<void> {
	while (child.exitCode === null && child.signalCode === null) {
		const answer = await fetch(`${baseUrl}/v1/health`).catch(() => null);
		if (answer?.ok) return;
		await sleep(50);
	}
	throw new Error(said().trim() || `the server ended with code ${child.exitCode}`);
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	if (address === null || typeof address === "string") throw new Error("no port is free");
	return address.port;
}
