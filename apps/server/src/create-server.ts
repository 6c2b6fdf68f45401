import type { Logger } from "@reelmill/engine";
import { SettingsError } from "@reelmill/settings";
import { prefix, readConfig, type table } from "./config.ts";
import { createProcessLogger } from "./process-logger.ts";
import type { RunningServer } from "./server.ts";
import type { StartedServer } from "./start/start-answering.ts";

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
	: Lowercase<Name>;
type Given<Value> = Value extends Uint8Array ? Value | string : Value extends Uint8Array[] ? Value | string[] : Value;
type ValueOf<Setting> = Setting extends { readonly value: { readonly _output: infer Value } } ? Given<Value> : never;
/** A program has one process: the one that it runs in. */
type Table = Omit<typeof table, "PROCESSES">;

/**
 * The settings of `reelmill-server`, by their names in camel case: `REELMILL_DATA_DIR` is `dataDir`. An option that is
 * left out or `undefined` has the setting's default; `reelmill-server --help` lists all of them. The environment's
 * settings are not read.
 */
export type ReelmillServerOptions = {
	readonly [Name in keyof Table as CamelCase<Name>]?: ValueOf<Table[Name]> | undefined;
} & {
	/** Takes what the server logs (default: lines of JSON on standard error, from `logLevel` on). */
	readonly logger?: Logger;
	/** Called with what the start is doing, such as making the embedded database (default: nothing). */
	readonly onProgress?: (step: string) => void;
};

/** A server that a program starts and stops. */
export type ReelmillServer = {
	/**
	 * Starts the server, and resolves once it answers requests. If it is already started, resolves to the same. If the
	 * start fails, everything that was opened is closed again, and another call tries again.
	 *
	 * @throws {StartError} when the start can't go on; the message names the setting and says what to do.
	 */
	start(): Promise<StartedServer>;
	/**
	 * Stops the server in order, as SIGTERM stops the program: running requests have `drainSeconds`. Resolves once
	 * nothing is left of it; at once if it is not started. During a start it waits for its end. `start` may be called
	 * again.
	 */
	stop(): Promise<void>;
};

/**
 * Creates what `reelmill-server` runs, for a program that runs it itself. It opens nothing before `start`. Without a
 * `databaseUrl`, it brings a PostgreSQL of its own in `dataDir`.
 *
 * Set `UV_THREADPOOL_SIZE` to 64 in the environment of your program, as the command does for itself: with Node's four
 * threads, a disk that hangs stops everything.
 *
 * @throws {SettingsError} when an option is unknown or wrong; the message names its setting.
 * @example
 * ```ts
 * import { createReelmillServer } from "@reelmill/server";
 *
 * const server = createReelmillServer({ dataDir: "./data", port: 0, embeddedWorkers: 0 });
 * const { baseUrl, tenant } = await server.start();
 * const health = await fetch(`${baseUrl}/v1/health`);
 * console.log(health.status, tenant.keyFile); // => 200 …/data/tenant.key
 * await server.stop();
 * ```
 */
export function createReelmillServer(options: ReelmillServerOptions = {}): ReelmillServer {
	const { logger, onProgress = () => undefined, ...settings } = options;
	const config = readConfig(environmentOf(settings));
	if (config.PROCESSES !== 1)
		throw new SettingsError(
			"REELMILL_PROCESSES is a setting of the command reelmill-server; docs/guides/embedding.md shows several processes of a program.",
		);
	let starting: Promise<RunningServer> | undefined;
	const open = async () => {
		// Loaded only now: it is most of the program, and the check of the options needs nothing of it.
		const { startServer } = await import("./server.ts");
		return startServer(config, logger ?? createProcessLogger(config), onProgress);
	};
	return {
		async start() {
			starting ??= open().catch((error) => {
				starting = undefined;
				throw error;
			});
			const { stop: _, ...started } = await starting;
			return started;
		},
		async stop() {
			const running = starting;
			starting = undefined;
			const server = await running?.catch(() => undefined);
			await server?.stop();
		},
	};
}

/** Writes options as the environment has them, so that they pass the same checks. */
function environmentOf(settings: Readonly<Record<string, unknown>>): Record<string, string> {
	const given = Object.entries(settings).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.map(([name, value]) => [settingName(name), textOf(value)]));
}

/** `dataDir` is `REELMILL_DATA_DIR`. */
const settingName = (option: string): string =>
	prefix + option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const textOf = (value: unknown): string => {
	if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
	return Array.isArray(value) ? value.map(textOf).join(",") : String(value);
};
