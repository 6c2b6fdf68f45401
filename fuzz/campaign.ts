import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createAnswerSchemas } from "./api/answers.ts";
import { type ApiDocument, readOperations } from "./api/document.ts";
import { createRoutes } from "./api/routes.ts";
import { type Cases, createCases } from "./generate/cases.ts";
import type { Options } from "./options.ts";
import type { HealthReport } from "./processes/health.ts";
import type { Memory } from "./processes/memory-on-message.ts";
import type { Ground } from "./run/ground.ts";
import { runCase } from "./run/run-case.ts";
import { type Group, runCases, shrink } from "./run/run-cases.ts";
import { isAnswer, jsonOf } from "./send/answer.ts";
import { createHttpSender, type HttpSender } from "./send/http.ts";
import { type Counts, createCounts } from "./watch/counts.ts";
import { watchHealth } from "./watch/health.ts";
import { type FuzzedServer, type LoggedError, startServer } from "./world/server.ts";
import { makeWorld, type WorldSize } from "./world/world.ts";

export type Result = {
	readonly groups: readonly Group[];
	readonly counts: Counts;
	readonly health: HealthReport;
	readonly before: Memory;
	readonly after: Memory;
	/** The resident memory in bytes at each tenth of the run. */
	readonly residents: readonly number[];
	readonly errors: readonly LoggedError[];
	readonly ended: string | null;
	readonly seconds: number;
};
type Running = Pick<Options, "seed" | "requests" | "concurrency"> & {
	readonly directory: string;
	readonly onProgress: (line: string) => void;
	readonly signal: AbortSignal;
};

/** There are enough keys and addresses that the rate limits stop few requests. */
const fullSize: WorldSize = { tenants: 64, sandboxes: 24, spares: 24 };
const smallSize: WorldSize = { tenants: 4, sandboxes: 3, spares: 2 };
const addresses = 1500;
/**
 * How many requests come before the memory is measured for the first time. By then code is compiled and caches are
 * filled.
 */
const warmUp = 3000;
const restMilliseconds = 15_000;
const shrinkMilliseconds = 4000;
const mostShrunk = 20;
/** The priority is below that of the server and its database, so that making cases doesn't starve what answers them. */
const lowPriority = 10;

/** Returns the address of one client. Linux has all of 127.0.0.0/8. */
const addressOf = (number: number): string | undefined =>
	process.platform === "linux"
		? `127.${20 + (number % 3)}.${1 + Math.floor((number % addresses) / 250)}.${1 + (number % 250)}`
		: undefined;

async function readDocument(sender: HttpSender): Promise<ApiDocument> {
	for (const path of ["/v1/openapi.all.json", "/v1/openapi.json"]) {
		const answer = await sender.send({ method: "GET", path, headers: {}, body: null }, undefined);
		if (isAnswer(answer) && answer.status === 200) return jsonOf(answer) as ApiDocument;
	}
	throw new Error("The server serves no OpenAPI document.");
}

async function open(
	server: FuzzedServer,
	sender: HttpSender,
	seed: number,
	size: WorldSize,
): Promise<{ ground: Ground; cases: Cases; names: string[] }> {
	const document = await readDocument(sender);
	const operations = readOperations(document);
	const world = await makeWorld(sender, server.adminKey, size, addressOf);
	const ground = {
		target: server.target,
		sender,
		world,
		routes: createRoutes(operations),
		schemas: createAnswerSchemas(document),
		addressOf,
	};
	return { ground, cases: createCases(operations, seed), names: operations.map(({ name }) => name) };
}

/** Starts a server, sends it all cases, lets it rest, stops it, and returns the result. */
export async function runCampaign({
	seed,
	requests,
	concurrency,
	directory,
	onProgress,
	signal,
}: Running): Promise<Result> {
	const started = Date.now();
	const server = await startServer(directory);
	const sender = createHttpSender(server.target);
	try {
		const { ground, cases, names } = await open(server, sender, seed, fullSize);
		onProgress(`the world is made; ${names.length} operations`);
		const counts = createCounts(names);
		const watch = watchHealth(`http://${server.target.host}:${server.target.port}/v1/health`, addressOf(addresses - 1));
		setPriority(lowPriority);
		const running = { ground, cases, concurrency, counts, isOver: () => signal.aborted || server.ended() !== null };
		const residents: number[] = [];
		const progress = (sent: number) => {
			onProgress(`${sent} of ${requests} requests`);
			const resident = server.resident();
			if (resident !== undefined && sent >= ((residents.length + 1) * requests) / 10) residents.push(resident);
		};
		const first = await runCases({ ...running, requests: Math.min(warmUp, requests >> 1), onProgress: progress });
		const before = await memoryOf(server);
		const second = await runCases({
			...running,
			requests: requests - counts.requests,
			first: first.next,
			onProgress: progress,
		});
		const health = await watch.stop();
		sender.close();
		const errors = [...server.errors];
		onProgress("all is sent; now the server rests");
		await sleep(restMilliseconds, undefined, { signal }).catch(() => undefined);
		const after = await memoryOf(server);
		const groups = merged([...first.groups, ...second.groups]);
		for (const group of groups.slice(0, mostShrunk))
			if (!signal.aborted) await shrink(ground, cases, group, shrinkMilliseconds);
		return {
			groups,
			counts,
			health,
			before,
			after,
			residents,
			errors,
			ended: server.ended(),
			seconds: (Date.now() - started) / 1000,
		};
	} finally {
		sender.close();
		await server.stop();
	}
}

/**
 * Sends one case to a new server with a small world, and prints every request and answer. Returns whether nothing was
 * found.
 */
export async function runOnly(
	number: number,
	{ seed, directory, onProgress }: Omit<Running, "requests" | "concurrency" | "signal">,
): Promise<boolean> {
	const server = await startServer(directory);
	const sender = createHttpSender(server.target);
	try {
		const { ground, cases } = await open(server, sender, seed, smallSize);
		const one = cases.at(number);
		onProgress(JSON.stringify(one, null, "\t"));
		const found = await runCase(ground, number, one, undefined, onProgress);
		for (const { rule, subject, detail } of found) onProgress(`FOUND ${rule}\n  ${subject}\n  ${detail}`);
		for (const { line } of server.errors) onProgress(`LOGGED ${line}`);
		return found.length === 0 && server.errors.length === 0;
	} finally {
		sender.close();
		await server.stop();
	}
}

const memoryOf = async (server: FuzzedServer): Promise<Memory> =>
	server.ended() === null ? server.memory() : { heapBytes: 0, externalBytes: 0, residentBytes: 0 };

function merged(groups: readonly Group[]): Group[] {
	const all = new Map<string, Group>();
	for (const group of groups) {
		const key = `${group.rule}\n${group.subject}`;
		const known = all.get(key);
		if (known === undefined) all.set(key, group);
		else
			all.set(key, {
				...known,
				count: known.count + group.count,
				examples: [...known.examples, ...group.examples].slice(0, 3),
			});
	}
	return [...all.values()];
}
