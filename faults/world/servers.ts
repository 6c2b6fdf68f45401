import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { openTcpFaultProxy, type TcpFaultProxy } from "@reelmill/fault-proxy";
import type { History } from "../history/history.ts";
import type { Random } from "../plan/random.ts";
import { childEnvironment } from "./child-environment.ts";
import type { Disturbances } from "./disturbances.ts";
import { type Front, openFront } from "./front.ts";
import { type Supervised, supervise } from "./supervised.ts";

/** One reference server, and all ways to and from it. */
export type Server = {
	readonly process: Supervised;
	/** Straight to it. */
	readonly url: string;
	readonly clients: Front;
	readonly workers: Front;
	readonly database: TcpFaultProxy;
	close(): Promise<void>;
};

const main = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));

/** Starts server `index`, and starts it again whenever it ends, on the same port. */
export async function startServer(
	index: number,
	options: {
		readonly settings: Readonly<Record<string, string>>;
		readonly databaseUrl: string;
		readonly cacheDirectory: string;
		readonly random: Random;
		readonly disturbances: Disturbances;
		readonly history: History;
		readonly log: (text: string) => void;
	},
): Promise<Server> {
	const port = await freePort();
	const target = new URL(options.databaseUrl);
	const database = await openTcpFaultProxy({ target: { host: target.hostname, port: Number(target.port) } });
	target.port = String(database.port);
	const env = {
		...childEnvironment(options.cacheDirectory),
		...options.settings,
		REELMILL_PORT: String(port),
		REELMILL_DATABASE_URL: target.href,
	};
	let up = options.disturbances.begin({ what: "down", server: index });
	const supervised = supervise({
		name: `server ${index}`,
		spawn() {
			const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
			child.stderr.on("data", (text: Buffer) => options.log(`server ${index}: ${text}`));
			return child;
		},
		ready: (child) =>
			new Promise<void>((resolve) => {
				child.stdout?.on("data", (text: Buffer) => {
					if (text.includes("Reelmill is ready.")) resolve();
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
	const [clients, workers] = [await openFront(port), await openFront(port)];
	return {
		process: supervised,
		url: `http://127.0.0.1:${port}`,
		clients,
		workers,
		database,
		async close() {
			await supervised.stop();
			await Promise.all([clients.close(), workers.close(), database.close()]);
		},
	};
}

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => probe.once("listening", resolve));
	const { port } = probe.address() as { port: number };
	await new Promise((resolve) => probe.close(resolve));
	return port;
}
