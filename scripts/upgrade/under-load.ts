import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../faults/processes/ask.ts";
import { recordChanges } from "../../faults/world/database/recorded-changes.ts";
import { openTestDatabase } from "../../packages/postgres/src/testing/index.ts";
import { startLoad } from "./load.ts";
import { type Server, startServer } from "./server.ts";
import { judge } from "./verdict.ts";

export type LoadOptions = {
	/** How long each stage lasts. */
	readonly seconds: number;
	/** On which the database is made (default: a server of its own). */
	readonly databaseServer?: string | undefined;
	readonly say: (text: string) => void;
	/** Is called with the database at rest, before it is judged. */
	readonly atRest?: (query: (text: string) => Promise<unknown>) => Promise<unknown>;
};
export type Outcome = { readonly faults: readonly string[]; readonly videos: number };

const adminKey = "the-key-of-an-upgrade-that-is-tried";
const tenantCount = 4;

/** What happens under load. */
export type Stages = {
	readonly first: Server;
	start(name: string, program: string): Promise<Server>;
	stop(server: Server): Promise<void>;
	/** Sends what comes to these servers from now on (default: the first one). */
	serve(servers: readonly Server[]): void;
	/** Lets the load go on for the time of a stage. */
	stage(name: string): Promise<void>;
};

/**
 * Starts a server of `program` on a database and data directory of its own, puts it under load while `go` runs, and
 * returns what went wrong.
 */
export async function underLoad(
	program: string,
	options: LoadOptions,
	go: (stages: Stages) => Promise<void>,
): Promise<Outcome> {
	const { seconds, say } = options;
	const undo: (() => Promise<unknown>)[] = [];
	try {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-upgrade-"));
		undo.push(() => rm(directory, { recursive: true, force: true }));
		const { database, url, close } = await openTestDatabase({ serverUrl: options.databaseServer });
		undo.push(close);
		const told = new Set<string>();
		const hook = await receiveWebhooks(told);
		undo.push(hook.close);
		const logged: string[] = [];
		const settings = {
			REELMILL_PORT: "0",
			REELMILL_DATA_DIR: directory,
			REELMILL_DATABASE_URL: url,
			REELMILL_EMBEDDED_WORKERS: "0",
			REELMILL_ADMIN_KEY: adminKey,
			REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
			REELMILL_SWEEP_SECONDS: "1",
			REELMILL_LOG_LEVEL: "error",
		};
		const running = new Set<Server>();
		undo.push(() => Promise.all([...running].map((server) => server.stop())));
		const start = async (name: string, program: string): Promise<Server> => {
			const server = await startServer(name, program, settings, (text) => logged.push(text));
			running.add(server);
			return server;
		};
		const first = await start("before", program);
		await recordChanges(database);
		const people = await makePeople(first.url, hook.url);
		let serving: readonly Server[] = [first];
		const load = startLoad(() => serving, people);
		await go({
			first,
			start,
			async stop(server) {
				running.delete(server);
				const code = await server.stop();
				if (code !== 0) logged.push(`${server.name} ended with ${code}`);
			},
			serve(servers) {
				serving = servers;
			},
			async stage(name) {
				load.seen.slowest = 0;
				await sleep(seconds * 1000);
				say(`${name}: ${load.seen.uploaded.size} uploads so far, slowest answer ${load.seen.slowest.toFixed(0)} ms`);
			},
		});
		await load.finish();
		await options.atRest?.((text) => database.query({ text, values: [] }));
		const faults = [...(await judge(database, load.seen, told)), ...logged];
		for (const [what, count] of [...load.seen.answers].toSorted()) say(`  ${what}: ${count}`);
		return { faults, videos: load.seen.completed.size };
	} finally {
		for (const step of undo.reverse()) await step();
	}
}

/** Makes the tenants, whose videos need one rendition, and a worker's account. */
async function makePeople(url: string, webhookUrl: string) {
	const call = async <T>(method: string, path: string, key: string, body: object): Promise<T> => {
		const headers = { "content-type": "application/json", ...(key !== "" && { authorization: `Bearer ${key}` }) };
		const answer = await ask({ url: `${url}${path}`, method, headers, body: Buffer.from(JSON.stringify(body)) });
		if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`);
		return JSON.parse(answer.body.toString()) as T;
	};
	const tenants: { apiKey: string }[] = [];
	for (let n = 0; n < tenantCount; n++) {
		const { api_key: apiKey } = await call<{ api_key: string }>("POST", "/admin/v1/domains", adminKey, {
			slug: `t-${n}`,
		});
		await call("PATCH", "/v1/domain/config", apiKey, {
			renditions: ["h264_720"],
			outputs: { hls: true, dash: false, mp4_fallback: true, og_thumbnail: false },
			webhook_url: webhookUrl,
			webhook_secret: "whsec_of_an_upgrade_that_is_tried",
		});
		tenants.push({ apiKey });
	}
	const name = "workers";
	const { secret } = await call<{ secret: string }>("POST", "/admin/v1/service-accounts", adminKey, { name });
	const { token } = await call<{ token: string }>("POST", "/internal/v1/token", "", { name, secret });
	return { tenants, workerToken: token };
}

/** Takes every webhook, and notes which videos are said to be ready. */
async function receiveWebhooks(told: Set<string>) {
	const server = createServer(async (request, response) => {
		const { type, data } = JSON.parse((await buffer(request)).toString());
		if (type === "video.ready") told.add(data.video.id);
		response.writeHead(204).end();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
