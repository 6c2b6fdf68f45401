import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type MadeService, startMadeService } from "../../packages/edge/test/support/made-service.ts";
import { startNginxEdge } from "../../packages/edge/test/support/nginx-edge.ts";
import { freePort } from "../../scripts/programs/program.ts";
import { median } from "../median.ts";
import { cpuSecondsOf } from "../server-process.ts";
import { playlist } from "../servers/outputs.ts";
import { wanted } from "../wanted.ts";
import { type Ask, openClient } from "./ask.ts";
import { createRandom } from "./chance.ts";
import { bytesPerSecond, filmSeconds } from "./edge-cache.ts";

const secondsOfWrk = 10;
const segmentSeconds = 4;
const segmentBytes = Math.floor(segmentSeconds * bytesPerSecond);
/** A player fetches so much at once, and the rest as it plays. */
const bufferSeconds = 30;
/** So many that the machine hardly rests: one that wakes for each request needs several times the CPU for it. */
const viewsPerSecond = 40;
const views = 600;
const videos = 4;
const files = ["hls/master.m3u8", "hls/h264_720.m3u8", "media/h264_720.mp4"];

/**
 * Compares the CPU that nginx uses as an edge, which verifies keys, with that of nginx which serves the same from its
 * cache to anybody, by the same slices, with and without TLS. First a playlist and a segment again and again, both
 * servers in turn. Then views with TLS, at both servers at once: each with a key of its own, as players ask, with both
 * playlists, 30 s of film at once and then a segment every 4 s. The feeds and the checks of keys are part of the edge's
 * CPU.
 */
export async function edgeCpu(rounds = 5): Promise<void> {
	const service = await startMadeService({ isTimeReal: true });
	try {
		const media = randomBytes(Math.round(filmSeconds * bytesPerSecond));
		const add = () => service.video({ files: { "hls/h264_720.m3u8": playlist, "media/h264_720.mp4": media } });
		const origin = { ...service, videos: Array.from({ length: videos }, add) };
		for (const isSecure of [true, false]) {
			const port = await freePort();
			const options = { workers: 1, isSecure };
			const edge = await startNginxEdge(origin, options);
			const plain = await startNginxEdge(origin, { ...options, beside: forAnybody(port, isSecure) });
			try {
				const sides = [
					{ pid: edge.pid, url: edge.url },
					{ pid: plain.pid, url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}` },
				] as const;
				await compare(isSecure ? "TLS" : "no TLS", origin, sides, rounds, isSecure);
			} finally {
				await Promise.all([edge.stop(), plain.stop()]);
			}
		}
	} finally {
		await service.close();
	}
}

type Origin = Pick<MadeService, "mint"> & { readonly videos: readonly string[] };
type Side = { readonly pid: number; readonly url: string };

async function compare(
	name: string,
	origin: Origin,
	sides: readonly [Side, Side],
	rounds: number,
	hasViews: boolean,
): Promise<void> {
	const client = openClient();
	const authorized = { key: await origin.mint() };
	try {
		for (const { url } of sides)
			for (const video of origin.videos)
				for (const file of files) {
					const { status } = await client.ask(`${url}/videos/${video}/${file}`, authorized);
					if (status !== 200) throw new Error(`${url} answered ${status}`);
				}
		const video = `/videos/${origin.videos[0]}`;
		for (const [what, path, range] of [
			["playlist", `${video}/hls/h264_720.m3u8`, null],
			["segment", `${video}/media/h264_720.mp4`, `bytes=${3 * segmentBytes}-${4 * segmentBytes - 1}`],
		] as const) {
			const pairs: Pair[] = [];
			for (let round = 0; round < rounds; round++) {
				const edge = await hit(sides[0], path, authorized.key, range);
				pairs.push([edge, await hit(sides[1], path, authorized.key, range)]);
			}
			show(`${what}, ${name}`, pairs);
		}
		if (!hasViews) return;
		const used = ({ pid }: Side) => cpuSecondsOf(pid);
		const before = [used(sides[0]), used(sides[1])] as const;
		const requests = await play(client.ask, origin, sides);
		show(`views, ${name}`, [[(used(sides[0]) - before[0]) / requests, (used(sides[1]) - before[1]) / requests]]);
	} finally {
		client.close();
	}
}

/** CPU seconds of a request, as an edge and for anybody. */
type Pair = readonly [edge: number, plain: number];

function show(what: string, pairs: readonly Pair[]): void {
	const [edge, plain, ratio] = [
		median(pairs.map(([one]) => one)),
		median(pairs.map(([, other]) => other)),
		median(pairs.map(([one, other]) => one / other)),
	];
	const micro = (seconds: number) => `${(seconds * 1e6).toFixed(0)} µs`;
	console.log(
		`${what}  edge ${micro(edge)}, for anybody ${micro(plain)}, ratio ${ratio.toFixed(2)} (wanted: ${wanted["edge-cpu"]})`,
	);
}

/** Returns the CPU seconds of one request of many alike. */
async function hit({ pid, url }: Side, path: string, key: string, range: string | null): Promise<number> {
	const headers = ["-H", `Authorization: Bearer ${key}`, ...(range === null ? [] : ["-H", `Range: ${range}`])];
	const before = cpuSecondsOf(pid);
	const { stdout } = await promisify(execFile)("wrk", ["-t1", "-c8", `-d${secondsOfWrk}s`, ...headers, url + path]);
	const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
	if (!requests || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met failures:\n${stdout}`);
	return (cpuSecondsOf(pid) - before) / requests;
}

/** Lets players watch, the same at each side. Returns how many requests each side got. */
async function play(ask: Ask, origin: Origin, sides: readonly Side[]): Promise<number> {
	const random = createRandom(1);
	const keys: string[] = [];
	for (let view = 0; view < views; view++) keys.push(await origin.mint({ viewer: `viewer-${view}` }));
	let requests = 0;
	const one = async (url: string, path: string, asked: Parameters<Ask>[1]) => {
		const { status } = await ask(`${url}/videos/${path}`, asked);
		if (status !== 200 && status !== 206) throw new Error(`${url} answered ${status}`);
		requests++;
	};
	const watch = async ({ url }: Side, video: string, key: string, seconds: number) => {
		for (const playlist of ["master", "h264_720"]) await one(url, `${video}/hls/${playlist}.m3u8`, { key });
		for (let second = 0; second < seconds; second += segmentSeconds) {
			if (second >= bufferSeconds) await sleep(segmentSeconds * 1000);
			const start = (second / segmentSeconds) * segmentBytes;
			await one(url, `${video}/media/h264_720.mp4`, { key, range: [start, start + segmentBytes - 1] });
		}
	};
	const watching: Promise<void>[] = [];
	for (const key of keys) {
		const video = origin.videos[Math.floor(random() * origin.videos.length)] as string;
		const seconds = random() * 0.6 * filmSeconds;
		for (const side of sides) watching.push(watch(side, video, key, seconds));
		await sleep(1000 / viewsPerSecond);
	}
	await Promise.all(watching);
	return requests / sides.length;
}

/** A server that keeps what the service gave to one key, and gives it to anybody. */
const forAnybody = (port: number, isSecure: boolean) => `
proxy_cache_path /var/cache/nginx/anybody keys_zone=anybody:16m use_temp_path=off;
server {
	listen 127.0.0.1:${port}${isSecure ? " ssl" : ""};
	ssl_certificate /etc/ssl/video.example.com.crt;
	ssl_certificate_key /etc/ssl/video.example.com.key;
	slice 1m;
	location / {
		proxy_http_version 1.1;
		proxy_set_header Connection "";
		proxy_set_header Range $slice_range;
		proxy_set_header Authorization $http_authorization;
		proxy_pass http://reelmill;
		proxy_cache anybody;
		proxy_cache_key "$uri $slice_range";
		proxy_cache_lock on;
		proxy_ignore_headers Cache-Control Expires Vary;
		proxy_cache_valid 200 206 1h;
	}
}`;
