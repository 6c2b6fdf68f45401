import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../../apps/server/src/main.ts", import.meta.url));

export type Server = {
	readonly url: string;
	/** The key of the first tenant, whose domain is "default". */
	readonly tenantKey: string;
	/** The link that signs in to the console once; empty if the server printed none. */
	readonly signInLink: string;
	stop(signal?: NodeJS.Signals): Promise<void>;
};

export type ServerOptions = {
	readonly directory: string;
	readonly databaseUrl: string;
	/** Settings by their names without `REELMILL_`. */
	readonly settings: Readonly<Record<string, string>>;
};

/** Starts the reference server as a process on a test's database. Rejects with what it said if it does not start. */
export async function startServer({ directory, databaseUrl, settings }: ServerOptions): Promise<Server> {
	const all = { PORT: "0", EMBEDDED_WORKERS: "0", DATA_DIR: directory, DATABASE_URL: databaseUrl, ...settings };
	const child = spawn(process.execPath, [main], {
		env: {
			PATH: process.env["PATH"],
			NODE_COMPILE_CACHE: join(tmpdir(), "reelmill-test-compile-cache"),
			...Object.fromEntries(Object.entries(all).map(([name, value]) => [`REELMILL_${name}`, value])),
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const { url, signInLink } = await whenReady(child);
	return {
		url,
		signInLink,
		tenantKey: (await readFile(join(directory, "tenant.key"), "utf8")).trim(),
		async stop(signal = "SIGTERM") {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill(signal);
			await once(child, "exit");
		},
	};
}

async function whenReady(child: ChildProcess): Promise<{ url: string; signInLink: string }> {
	let said = "";
	const ended = once(child, "close");
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", (text: Buffer) => {
			said += text;
		});
	while (!said.includes("Reelmill is ready.")) {
		if (child.exitCode !== null) {
			await ended;
			throw new Error(`the server ended with ${child.exitCode}: ${said}`);
		}
		await Promise.race([new Promise((resolve) => child.stdout?.once("data", resolve)), ended]);
	}
	const found = (pattern: RegExp) => pattern.exec(said)?.[1] ?? "";
	return { url: found(/(http:\S+)\/v1\/health/), signInLink: found(/(http:\S+\/sign-in#\S+)/) };
}
