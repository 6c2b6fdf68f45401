import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type MadeService, startMadeService } from "../../packages/edge/test/support/made-service.ts";
import {
	behindAnother,
	type NginxEdge,
	startNginxEdge,
	startNginxShield,
} from "../../packages/edge/test/support/nginx-edge.ts";
import { wanted } from "../wanted.ts";
import { type Ask, openClient } from "./ask.ts";
import { createRandom, createZipf } from "./chance.ts";
import { bytesPerSecond, catalogue, edges, filmSeconds, GB, simulate, sliceBytes } from "./edge-cache.ts";

/** Bytes are scaled by this: films, slices and caches. */
const byteScale = 1 / 16;
const filmBytes = Math.round(filmSeconds * bytesPerSecond * byteScale);
const cacheBytes = 200 * GB;
const viewsPerSecond = 50;
const viewers = 500;
const viewsAtOnce = 128;
const exponents = [0.8, 1];
const file = "media/h264_720.mp4";

type Origin = Pick<MadeService, "url" | "domains" | "log" | "mint" | "revoke"> & { readonly videos: readonly string[] };

/**
 * Replays two days of views at ten real edges of nginx before a service made for tests, and shows which share of the bytes of
 * private videos never touched the service on the second day. A day has so many of a million views, and the same share
 * of 20,000 videos and of each cache; a film, a slice and a cache have a sixteenth of their bytes besides. A day lasts
 * as long as 50 views a second take, so that the time after which nginx asks again is scaled as well. A view is one
 * request for what is watched, from the beginning of the film on. Each ten seconds a viewer is revoked and gets a new key.
 */
export async function edgeTrace(views = 5000): Promise<void> {
	const videos = Math.round((catalogue * views) / 1e6);
	const film = Math.ceil((filmSeconds * bytesPerSecond) / sliceBytes);
	const scale = byteScale * (views / 1e6);
	const service = await startMadeService({ isTimeReal: true });
	try {
		const media = randomBytes(filmBytes);
		const ids = Array.from({ length: videos }, () => service.video({ files: { [file]: media } }));
		const origin = { ...service, videos: ids };
		const day = views / viewsPerSecond;
		const keep = Math.max(1, Math.round(day / 24));
		console.log(`${videos} videos, ${views} views a day, a day of ${day} s, media kept for ${keep} s`);
		console.log(
			"| Zipf's exponent | Edges | Bytes kept from the service | simulated | requests that reach it | of them 304 |",
		);
		console.log("|---|---|---|---|---|---|");
		for (const exponent of exponents) {
			const most = Math.floor((cacheBytes * (views / 1e6)) / sliceBytes);
			const simulated = simulate({ videos, views, exponent, most, film, lifeSeconds: Number.POSITIVE_INFINITY });
			for (const [index, name] of arrangements.entries()) {
				const opened = await openEdges(name, origin, {
					"max_size=50g": `max_size=${Math.round((cacheBytes * scale) / 1024)}k`,
					"slice 1m;": `slice ${(sliceBytes * byteScale) / 1024}k;`,
					"200 10s;": "200 1s;",
					"206 1h;": `206 ${keep}s;`,
				});
				try {
					const choose = name === "each video at one edge" ? "video" : "chance";
					const { sent, requests, service } = await replay(origin, opened.edges, { views, exponent, choose });
					const share = 1 - service.bytes / sent;
					console.log(
						`| ${exponent} | ${name} | ${percent(share)} | ${percent(simulated[index] as number)} | ${percent(service.requests / requests)} | ${percent(service.notModified / service.requests)} |`,
					);
				} finally {
					await opened.stop();
				}
			}
		}
		console.log(`wanted: ${wanted["edge-cache"]}`);
	} finally {
		await service.close();
	}
}

const arrangements = ["ten edges", "ten edges, a shield", "each video at one edge"] as const;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

async function openEdges(name: (typeof arrangements)[number], origin: Origin, changes: Record<string, string>) {
	const shield = name === "ten edges, a shield" ? await startNginxShield(origin, { changes, workers: 1 }) : null;
	const asked = shield === null ? origin : { ...origin, url: shield.url };
	const own = shield === null ? changes : { ...changes, ...behindAnother };
	const all: NginxEdge[] = [];
	for (let index = 0; index < edges; index++) all.push(await startNginxEdge(asked, { changes: own, workers: 1 }));
	return {
		edges: all,
		stop: () => Promise.all([...all, ...(shield === null ? [] : [shield])].map((one) => one.stop())),
	};
}

type Day = { readonly views: number; readonly exponent: number; readonly choose: "video" | "chance" };

/** Returns what the viewers got and what the service gave on the second day. */
async function replay(origin: Origin, at: readonly NginxEdge[], { views, exponent, choose }: Day) {
	const random = createRandom(1);
	const chooseVideo = createZipf(origin.videos.length, exponent);
	const client = openClient();
	const keys: string[] = [];
	const mint = async (viewer: number) => {
		keys[viewer] = await origin.mint({ viewer: `viewer-${viewer}` });
	};
	for (let viewer = 0; viewer < viewers; viewer++) await mint(viewer);
	const startedAt = performance.now();
	let revoked = 0;
	const revoking = setInterval(() => {
		const viewer = revoked++ % viewers;
		origin.revoke(`viewer-${viewer}`);
		void mint(viewer);
	}, 10_000);
	let [sent, requests, failed] = [0, 0, 0];
	const counting: Ask = async (url, asked) => {
		const answer = await client.ask(url, asked);
		sent += answer.bytes;
		requests++;
		if (answer.status < 300) return answer;
		// A viewer whose key was just revoked does without. What the machine was too busy for is asked again.
		if (answer.status === 401) return answer;
		if (answer.status < 500) throw new Error(`${url} answered ${answer.status}`);
		failed++;
		await sleep(1000);
		return counting(url, asked);
	};
	const running = new Set<Promise<unknown>>();
	for (let view = 0; view < 2 * views; view++) {
		if (view === views) {
			await Promise.all(running);
			origin.log.length = 0;
			[sent, requests] = [0, 0];
		}
		const video = chooseVideo(random());
		const seconds = random() * 0.6 * filmSeconds;
		const edge = at[choose === "video" ? video % edges : Math.floor(random() * edges)] as NginxEdge;
		const viewer = Math.floor(random() * viewers);
		await sleep(Math.max(0, startedAt + (view / viewsPerSecond) * 1000 - performance.now()));
		if (running.size >= viewsAtOnce) await Promise.race(running);
		const range = [0, Math.ceil(seconds * bytesPerSecond * byteScale)] as const;
		const one = counting(`${edge.url}/videos/${origin.videos[video]}/${file}`, { key: keys[viewer] as string, range });
		const ended = one.finally(() => running.delete(ended));
		running.add(ended);
	}
	await Promise.all(running);
	clearInterval(revoking);
	client.close();
	if (failed > 0) console.log(`${failed} answers were 5xx`);
	return { sent, requests, service: givenBy(origin) };
}

/** Returns what the service was asked for and what it gave since its log began. No file changes, so an ETag always holds. */
function givenBy({ log }: Origin): { requests: number; bytes: number; notModified: number } {
	const asked = log.filter(({ path }) => path.startsWith("/videos/"));
	const [known, unknown] = [true, false].map((isKnown) =>
		asked.filter(({ headers }) => (headers["if-none-match"] !== undefined) === isKnown),
	) as [typeof asked, typeof asked];
	const bytes = unknown.reduce((sum, { method, headers }) => {
		const [, start = "0", end = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
		return method === "HEAD" ? sum : sum + Math.min(Number(end), filmBytes - 1) - Number(start) + 1;
	}, 0);
	return { requests: asked.length, bytes, notModified: known.length };
}
