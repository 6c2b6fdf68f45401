import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { median } from "./median.ts";
import { ownCpuSecondsOf, type ServerProcess, startServer } from "./server-process.ts";
import { segmentBytes } from "./servers/outputs.ts";
import type { ProcessesServer } from "./servers/processes.ts";
import { wanted } from "./wanted.ts";

type Server = ServerProcess<ProcessesServer>;
type Case = {
	readonly name: string;
	readonly path: (video: string) => string;
	readonly headers: (of: ProcessesServer) => string[];
};
type Measured = {
	readonly perSecond: number;
	/** Milliseconds of CPU for a request, of all processes that answer and of the one that gives them connections. */
	readonly milliseconds: number;
	readonly primaryMilliseconds: number;
	/** The busiest process's share of the CPU of all that answer. */
	readonly busiest: number;
	/** What the processes would answer in a second if each had a core of its own: the busiest one is the limit. */
	readonly capacity: number;
};

const connections = 32;
const seconds = 4;
const cases: readonly Case[] = [
	{
		name: "authenticated GET",
		path: (video) => `/v1/videos/${video}`,
		headers: ({ tenant }) => ["-H", `Authorization: ${tenant}`],
	},
	{
		name: "keyed playlist",
		path: (video) => `/videos/${video}/hls/master.m3u8`,
		headers: ({ viewer }) => ["-H", `Authorization: ${viewer}`],
	},
	{
		name: "keyed segment",
		path: (video) => `/videos/${video}/media/h264_720.mp4`,
		headers: ({ viewer }) => ["-H", `Authorization: ${viewer}`, "-H", `Range: bytes=0-${segmentBytes - 1}`],
	},
];

/**
 * Measures how much more two processes of a server answer than one, the two in turn: an authenticated GET, and a
 * playlist and a segment with a key. wrk makes the load. With four cores or more, the server has two of them, and load
 * and database the others: the ratio of the requests a second counts. With fewer, load and database take their share of
 * the same cores, so the ratio of what the processes answer with a second of CPU each counts; the busiest one is the
 * limit. Cores that wait for each other's memory are not seen that way.
 */
export async function processes(rounds = 5): Promise<void> {
	const cores = availableParallelism();
	const isApart = cores >= 4;
	const servers: Server[] = [];
	try {
		for (const count of [1, 2]) servers.push(await startServer<ProcessesServer>("processes", String(count)));
		if (isApart) for (const { ready } of servers) await pin([...ready.pids, ready.primary], "0,1");
		for (const one of cases) await compare(one, servers, rounds, isApart ? `2-${cores - 1}` : null);
	} finally {
		for (const server of servers) await server.stop();
	}
}

async function compare(one: Case, servers: readonly Server[], rounds: number, loadCores: string | null): Promise<void> {
	for (const { ready } of servers) await measure(one, ready, loadCores);
	const growths: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const both: Measured[] = [];
		for (const { ready } of servers) both.push(await measure(one, ready, loadCores));
		const [alone, together] = both as [Measured, Measured];
		const growth = loadCores === null ? together.capacity / alone.capacity : together.perSecond / alone.perSecond;
		growths.push(growth);
		const shown = (of: Measured) => `${of.perSecond.toFixed(0)} /s, ${of.milliseconds.toFixed(4)} ms of CPU each`;
		console.log(
			`${one.name}  one ${shown(alone)}  two ${shown(together)} + ${together.primaryMilliseconds.toFixed(4)} `,
			`busiest ${(together.busiest * 100).toFixed(0)} %  growth ${growth.toFixed(2)}`,
		);
	}
	const by = loadCores === null ? "by CPU; load and database are on the same cores" : "by requests a second";
	console.log(`${one.name}  median growth ${median(growths).toFixed(2)} (wanted: ${wanted.processes}), ${by}`);
}

async function measure(one: Case, server: ProcessesServer, loadCores: string | null): Promise<Measured> {
	const spent = () => server.pids.map(cpuOf);
	const [before, primaryBefore] = [spent(), cpuOf(server.primary)];
	const load = [
		"wrk",
		"-t",
		"1",
		"-c",
		String(connections),
		"-d",
		`${seconds}s`,
		"--timeout",
		"30s",
		...one.headers(server),
	];
	const [program = "", ...args] = loadCores === null ? load : ["taskset", "-c", loadCores, ...load];
	const { stdout } = await promisify(execFile)(program, [...args, server.url + one.path(server.video)]);
	const each = spent().map((now, index) => now - (before[index] ?? 0));
	const [requests = 0, perSecond = 0] = [/(\d+) requests in/, /Requests\/sec: +([\d.]+)/].map((pattern) =>
		Number(pattern.exec(stdout)?.[1] ?? 0),
	);
	if (requests === 0 || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met failures:\n${stdout}`);
	const cpu = each.reduce((sum, share) => sum + share);
	return {
		perSecond,
		milliseconds: (cpu / requests) * 1000,
		primaryMilliseconds: ((cpuOf(server.primary) - primaryBefore) / requests) * 1000,
		busiest: Math.max(...each) / cpu,
		capacity: requests / Math.max(...each),
	};
}

/** Returns the CPU seconds of this process alone. */
const cpuOf = (pid: number | null): number => (pid === null ? 0 : ownCpuSecondsOf(pid));

async function pin(pids: readonly (number | null)[], cores: string): Promise<void> {
	for (const pid of pids)
		if (pid !== null) await promisify(execFile)("taskset", ["-a", "-c", "-p", cores, String(pid)]);
}
