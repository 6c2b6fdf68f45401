import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../scripts/programs/program.ts";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import { type DatabaseAddress, type Finding, openDatabaseAddress } from "../database/database-address.ts";
import type { Postgres } from "../database/postgres.ts";
import type { Disturbances } from "../disturbances.ts";
import { childEnvironment } from "./child-environment.ts";
import { type MachineClock, openClock } from "./clock.ts";
import { openRelay, type Relay } from "./relay.ts";
import { type Supervised, supervise } from "./supervised.ts";

/** One reference server with all of its connections. */
export type Server = {
	readonly process: Supervised;
	/** The server's own address, without a relay. */
	readonly url: string;
	readonly clients: Relay;
	readonly workers: Relay;
	readonly database: DatabaseAddress;
	readonly clock: MachineClock;
	/**
	 * Kills the server, starts it once with other settings and then again with its own. Returns how the first start went;
	 * null if no server ran.
	 */
	startOnceWith(settings: Readonly<Record<string, string>>): Promise<Trial | null>;
	/**
	 * Ends the server in order, and lets the other release serve in its place until that ended in order or was killed.
	 * Returns false if no server ran.
	 */
	replaceFor(milliseconds: number): Promise<boolean>;
	close(): Promise<void>;
};

/** A start that should be refused: whether the server reported that it is ready, and its output otherwise. */
export type Trial = { readonly accepted: boolean; readonly said: string };

/** How long the other release may take to start. */
const startMilliseconds = 20_000;
const main = fileURLToPath(new URL("../../../apps/server/src/main.ts", import.meta.url));
const preloads = ["wrong-clock", "own-names"].flatMap((name) => [
	"--import",
	fileURLToPath(new URL(`../../processes/${name}.ts`, import.meta.url)),
]);

/** How each server finds the primary: one in each of the two ways, so that both are tested. */
const findings: readonly [Finding, ...Finding[]] = ["moving address", "both addresses"];

/** Starts server `index`, and starts it again on the same port whenever it ends. */
export async function startServer(
	index: number,
	options: {
		readonly settings: Readonly<Record<string, string>>;
		readonly postgres: Postgres;
		/** The folder for its clock. */
		readonly directory: string;
		readonly cacheDirectory: string;
		/** The program of the release that stands in for the server when it is replaced (default: the server's own). */
		readonly otherRelease?: string | undefined;
		readonly random: Random;
		readonly disturbances: Disturbances;
		readonly history: History;
		readonly log: (text: string) => void;
	},
): Promise<Server> {
	const port = await freePort();
	const database = await openDatabaseAddress(options.postgres, findings[index % findings.length] ?? findings[0]);
	const clock = openClock(options.directory, `server ${index}`);
	const env = {
		...childEnvironment(options.cacheDirectory),
		...options.settings,
		...clock.environment,
		REELMILL_PORT: String(port),
		REELMILL_DATABASE_URL: database.url,
	};
	let asked: { readonly settings: Readonly<Record<string, string>>; end(trial: Trial): void } | undefined;
	const trials = new Map<ChildProcess, (trial: Trial) => void>();
	let program = main;
	let up = options.disturbances.begin({ what: "down", server: index });
	const supervised = supervise({
		name: `server ${index}`,
		spawn() {
			const child = spawn(process.execPath, [...preloads, program], {
				env: { ...env, ...asked?.settings },
				stdio: ["ignore", "pipe", "pipe"],
			});
			let said = "";
			child.stderr.on("data", (text: Buffer) => {
				options.log(`server ${index}: ${text}`);
				said = `${said}${text}`.slice(0, 4000);
			});
			if (asked) {
				const { end } = asked;
				trials.set(child, end);
				child.once("exit", () => end({ accepted: false, said }));
				asked = undefined;
			}
			return child;
		},
		ready: (child) =>
			new Promise<void>((resolve) => {
				child.stdout?.on("data", (text: Buffer) => {
					if (!text.includes("Reelmill is ready.")) return;
					const end = trials.get(child);
					if (!end) return resolve();
					end({ accepted: true, said: String(text) });
					child.kill("SIGKILL");
				});
			}),
		pauseMilliseconds: () => options.random.integer(0, 700),
		onUp: () => up(),
		onFell: (how) => options.history.add({ kind: "fell", name: `server ${index}`, how }),
		onDown() {
			up();
			up = options.disturbances.begin({ what: "down", server: index });
		},
	});
	const [clients, workers] = [await openRelay(port), await openRelay(port)];
	return {
		process: supervised,
		url: `http://127.0.0.1:${port}`,
		clients,
		workers,
		database,
		clock,
		async startOnceWith(settings) {
			if (!supervised.isUp() || asked) return null;
			const trial = new Promise<Trial>((end) => {
				asked = { settings, end };
			});
			supervised.kill();
			return trial;
		},
		async replaceFor(milliseconds) {
			if (program !== main || asked || !supervised.isUp()) return false;
			program = options.otherRelease ?? main;
			await supervised.end();
			const until = Date.now() + startMilliseconds;
			while (!supervised.isUp() && Date.now() < until) await sleep(20);
			await sleep(milliseconds);
			program = main;
			await supervised.end();
			return true;
		},
		async close() {
			await supervised.stop();
			await Promise.all([clients.close(), workers.close(), database.close()]);
		},
	};
}
