import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SegmentRun, SegmentRunResult } from "./clients/segments.ts";
import { median } from "./median.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { BareOutputs } from "./servers/bare-outputs.ts";
import type { DeliveryServer } from "./servers/delivery.ts";
import { segmentBytes, segmentFile } from "./servers/outputs.ts";
import { wanted } from "./wanted.ts";

type Load = { readonly server: ServerProcess<unknown>; readonly url: string; readonly authorization?: string };
type Measured = { readonly value: number; readonly cpuPerRequest: number };
type Case = {
	readonly name: keyof typeof wanted;
	readonly unit: string;
	readonly measure: (load: Load) => Promise<Measured>;
	readonly ours: Load;
	readonly nginx: Load;
	readonly bare: Load;
};

const seconds = 2;
const connections = { segments: 8, playlists: 16 };

/**
 * Measures the serving of files against nginx with sendfile, one worker process and no authentication. The first figure
 * is 2 MB segments of a private video with its key, in MB/s; the second is its playlist of 1.5 kB, in requests per
 * second. The two servers run in turn, and the ratio of each pair and the median of the ratios count. Our server counts
 * requests, as it always does. The least that a Node server does is measured too, with the same head of a playlist: it
 * shows how much of the difference is ours.
 */
export async function delivery(rounds = 7): Promise<void> {
	const nginx = await startServer<{ playlist: string; media: string }>("nginx");
	const ours = await startServer<DeliveryServer>("delivery");
	const { counted, uncached, privateMedia, privatePlaylist, authorization } = ours.ready;
	const { headers } = await fetch(counted + privatePlaylist, { headers: { authorization } });
	const bare = await startServer<BareOutputs>("bare-outputs", JSON.stringify(Object.fromEntries(headers)));
	try {
		const segments = { unit: "MB/s", nginx: { server: nginx, url: nginx.ready.media } };
		const all: Case[] = [
			{
				...segments,
				name: "hot segment",
				measure: measureSegments(1),
				ours: { server: ours, url: counted + privateMedia, authorization },
				bare: { server: bare, url: bare.ready.hot },
			},
			{
				...segments,
				name: "segment not in memory",
				measure: measureSegments(segmentFile.length / segmentBytes),
				ours: { server: ours, url: uncached + privateMedia, authorization },
				bare: { server: bare, url: bare.ready.read },
			},
			{
				name: "playlist",
				unit: "/s",
				measure: measurePlaylists,
				nginx: { server: nginx, url: nginx.ready.playlist },
				ours: { server: ours, url: counted + privatePlaylist, authorization },
				bare: { server: bare, url: bare.ready.playlist },
			},
		];
		for (const one of all) await compare(one, rounds);
	} finally {
		await Promise.all([nginx.stop(), ours.stop(), bare.stop()]);
	}
}

async function compare({ name, unit, measure, ours, nginx, bare }: Case, rounds: number): Promise<void> {
	for (const side of [nginx, ours, bare]) await measure(side);
	const toNginx: Ratio[] = [];
	const toBare: Ratio[] = [];
	for (let round = 0; round < rounds; round++) {
		const [reference, measured, least] = [await measure(nginx), await measure(ours), await measure(bare)];
		toNginx.push(ratioOf(measured, reference));
		toBare.push(ratioOf(measured, least));
		const shown = ({ value, cpuPerRequest }: Measured) =>
			`${value.toFixed(0)} ${unit} (${(cpuPerRequest * 1e6).toFixed(0)} µs CPU each)`;
		console.log(`${name}  nginx ${shown(reference)}  ours ${shown(measured)}  bare Node ${shown(least)}`);
	}
	console.log(
		`${name}  median of nginx: ${medianOf(toNginx)}; of a bare Node server: ${medianOf(toBare)} (wanted: ${wanted[name]})`,
	);
}

type Ratio = { readonly value: number; readonly cpu: number };
const ratioOf = (one: Measured, other: Measured): Ratio => ({
	value: one.value / other.value,
	cpu: one.cpuPerRequest / other.cpuPerRequest,
});
const medianOf = (ratios: readonly Ratio[]): string =>
	`ratio ${median(ratios.map(({ value }) => value)).toFixed(2)}, CPU ${median(ratios.map(({ cpu }) => cpu)).toFixed(2)}`;

const client = fileURLToPath(new URL("./clients/segments.ts", import.meta.url));

const measureSegments =
	(segments: number) =>
	async ({ server, url, authorization }: Load): Promise<Measured> => {
		const run: SegmentRun = { url, authorization, segments, segmentBytes, connections: connections.segments, seconds };
		const before = server.cpuSeconds();
		const { stdout } = await promisify(execFile)(process.execPath, [client, JSON.stringify(run)]);
		const cpuSeconds = server.cpuSeconds() - before;
		const result = JSON.parse(stdout) as SegmentRunResult;
		return { value: result.bytes / result.seconds / 1e6, cpuPerRequest: cpuSeconds / result.requests };
	};

async function measurePlaylists({ server, url, authorization }: Load): Promise<Measured> {
	const headers = authorization === undefined ? [] : ["-H", `Authorization: ${authorization}`];
	const before = server.cpuSeconds();
	const { stdout } = await promisify(execFile)("wrk", [
		"-t",
		"1",
		"-c",
		String(connections.playlists),
		"-d",
		`${seconds}s`,
		...headers,
		url,
	]);
	const cpuSeconds = server.cpuSeconds() - before;
	const [requests, perSecond] = [/(\d+) requests in/, /Requests\/sec: +([\d.]+)/].map((pattern) =>
		Number(pattern.exec(stdout)?.[1]),
	);
	if (!requests || !perSecond || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met failures:\n${stdout}`);
	return { value: perSecond, cpuPerRequest: cpuSeconds / requests };
}
