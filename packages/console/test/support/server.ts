import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../../../scripts/programs/program.ts";

const main = fileURLToPath(new URL("../../../../apps/server/src/main.ts", import.meta.url));

export type Server = {
	readonly url: string;
	/** The key of the first tenant, whose domain is "default". */
	readonly tenantKey: string;
	/** The link that signs in to the console once; empty if the server printed none. */
	readonly signInLink: string;
	stop(signal?: NodeJS.Signals): Promise<unknown>;
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
	const server = startProgram(process.execPath, [main], {
		env: {
			PATH: process.env["PATH"],
			NODE_COMPILE_CACHE: join(tmpdir(), "reelmill-test-compile-cache"),
			...Object.fromEntries(Object.entries(all).map(([name, value]) => [`REELMILL_${name}`, value])),
		},
	});
	await server.until((said) => said.includes("Reelmill is ready."));
	const found = (pattern: RegExp) => pattern.exec(server.said())?.[1] ?? "";
	return {
		url: found(/(http:\S+)\/v1\/health/),
		signInLink: found(/(http:\S+\/sign-in#\S+)/),
		tenantKey: (await readFile(join(directory, "tenant.key"), "utf8")).trim(),
		stop: server.stop,
	};
}
