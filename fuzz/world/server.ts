import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Memory } from "../processes/memory-on-message.ts";
import type { Target } from "../send/http.ts";

export type LoggedError = { readonly message: string; readonly line: string };
export type FuzzedServer = {
	readonly target: Target;
	readonly adminKey: string;
	/** Returns null while it runs, then how it ended. */
	ended(): string | null;
	/** What it logged at level error, and output that is no log. */
	readonly errors: readonly LoggedError[];
	memory(): Promise<Memory>;
	/** Returns the resident memory in bytes, garbage included; undefined if the system has no /proc. */
	resident(): number | undefined;
	stop(): Promise<void>;
};

const main = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));
const preload = new URL("../processes/memory-on-message.ts", import.meta.url).href;
const adminKey = "canary0admin0key0of0the0fuzz0canary0admin0key";
const errorLevel = 50;
const pageBytes = 4096;

/**
 * Starts the reference server with an embedded database and without workers: the cases are its workers. Rejects with
 * the server's output if it doesn't start.
 */
export async function startServer(directory: string): Promise<FuzzedServer> {
	const env = {
		PATH: process.env.PATH ?? "",
		NODE_COMPILE_CACHE: join(directory, "compiled"),
		REELMILL_PORT: "0",
		REELMILL_OPS_PORT: "0",
		REELMILL_DATA_DIR: join(directory, "data"),
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_EMBEDDED_WORKERS: "0",
		REELMILL_LOCK_SECONDS: "3600",
		REELMILL_DELIVERY_MEMORY_BYTES: String(8 * 2 ** 20),
		REELMILL_ARCHIVE_BYTES: String(10 * 2 ** 20),
	};
	const child = spawn(process.execPath, ["--expose-gc", "--import", preload, main], {
		env,
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	const log = createWriteStream(join(directory, "server.log"));
	const errors: LoggedError[] = [];
	createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
		log.write(`${line}\n`);
		const message = errorIn(line);
		if (message !== null) errors.push({ message, line });
	});
	let end: string | null = null;
	child.on("exit", (code, signal) => {
		end = String(signal ?? code);
	});
	const target = await whenReady(child, errors);
	return {
		target,
		adminKey,
		ended: () => end,
		errors,
		async memory() {
			const answer = once(child, "message");
			child.send("memory");
			const [memory] = (await answer) as [Memory];
			return memory;
		},
		resident() {
			try {
				const [, pages] = readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ");
				return Number(pages) * pageBytes;
			} catch {
				return undefined;
			}
		},
		async stop() {
			if (end !== null) return;
			const exit = once(child, "exit");
			child.kill("SIGTERM");
			const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
			await exit;
			clearTimeout(timer);
		},
	};
}

function errorIn(line: string): string | null {
	try {
		const { level, msg, error } = JSON.parse(line) as { level: number; msg?: string; error?: { message?: string } };
		return level >= errorLevel ? [msg, error?.message].filter((text) => text !== undefined).join(": ") : null;
	} catch {
		return line;
	}
}

async function whenReady(child: ChildProcess, errors: readonly LoggedError[]): Promise<Target> {
	let said = "";
	for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
		said += `${line}\n`;
		const port = /\s(http:\/\/127\.0\.0\.1:(\d+))\/v1\/health/.exec(said)?.[2];
		const operationsPort = /Operations\s.*?(?:port |:)(\d+)/.exec(said)?.[1];
		if (port !== undefined && operationsPort !== undefined) {
			child.stdout?.resume();
			return { host: "127.0.0.1", port: Number(port), operationsPort: Number(operationsPort) };
		}
	}
	throw new Error(`The server did not start:\n${said}${errors.map(({ line }) => line).join("\n")}`);
}
