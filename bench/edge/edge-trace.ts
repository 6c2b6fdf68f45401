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
const viewers = 500;
const viewsAtOnce = 128;
/** nginx looks every 10 s for what is above a cache's size, so a day takes many times that. */
const daySeconds = 120;
const exponents = [0.8, 1];
const file = "media/h264_720.mp4";

type Origin = Pick<MadeService, "url" | "domains" | "log" | "mint" | "revoke"> & { readonly videos: readonly string[] };

/**
 * Replays two days of views at ten real edges of nginx before a service made for tests, and shows which share of the
 * bytes of private videos never touched the service on the second day. A day has so many of a million views, and the
 * same share of 20,000 videos and of each cache; a film, a slice and a cache have a sixteenth of their bytes besides.
 * A view is one request for what is watched, from the beginning of the film on. Each ten seconds a viewer is revoked
 * and gets a new key. A day takes two minutes, so nothing grows old; the test of the edge shows that what has grown old
 * comes without bytes.
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
		console.log(`${videos} videos, ${views} views a day`);
		console.log(
			"| Zipf's exponent | Edges | Bytes kept from the service | simulated | with requests that were passed on as they came |",
		);
		console.log("|---|---|---|---|---|");
		for (const exponent of exponents) {
			const most = Math.floor((cacheBytes * (views / 1e6)) / sliceBytes);
			const simulated = simulate({ videos, views, exponent, most, film, lifeSeconds: Number.POSITIVE_INFINITY });
			for (const [index, name] of arrangements.entries()) {
				const opened = await openEdges(name, origin, {
					"max_size=50g": `max_size=${Math.round((cacheBytes * scale) / 1024)}k`,
					"slice 1m;": `slice ${(sliceBytes * byteScale) / 1024}k;`,
				});
				try {
					const choose = name === "each video at one edge" ? "video" : "chance";
					const { sent, service } = await replay(origin, opened.edges, { views, exponent, choose });
					const passedOn = service.all - service.slices;
					const [kept, all] = [1 - service.slices / (sent - passedOn), 1 - service.all / sent];
					console.log(
						`| ${exponent} | ${name} | ${percent(kept)} | ${percent(simulated[index] as number)} | ${percent(all)} |`,
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
	let revoked = 0;
	const revoking = setInterval(() => {
		const viewer = revoked++ % viewers;
		origin.revoke(`viewer-${viewer}`);
		void mint(viewer);
	}, 10_000);
	let [sent, failed] = [0, 0];
	const counting: Ask = async (url, asked) => {
		const answer = await client.ask(url, asked);
		sent += answer.bytes;
		if (answer.status < 300) return answer;
		// A viewer whose key was just revoked does without. What broke off, or the machine was too busy for, is asked again.
		if (answer.status === 401) return answer;
		if (answer.status < 500) throw new Error(`${url} answered ${answer.status}`);
		failed++;
		await sleep(1000);
		return counting(url, asked);
	};
	const running = new Set<Promise<unknown>>();
	const began = Date.now();
	for (let view = 0; view < 2 * views; view++) {
		await sleep(Math.max(0, began + (view * daySeconds * 1000) / views - Date.now()));
		if (view === views) {
			await Promise.all(running);
			origin.log.length = 0;
			sent = 0;
		}
		const video = chooseVideo(random());
		const seconds = random() * 0.6 * filmSeconds;
		const edge = at[choose === "video" ? video % edges : Math.floor(random() * edges)] as NginxEdge;
		const viewer = Math.floor(random() * viewers);
		if (running.size >= viewsAtOnce) await Promise.race(running);
		const range = [0, Math.ceil(seconds * bytesPerSecond * byteScale)] as const;
		const one = counting(`${edge.url}/videos/${origin.videos[video]}/${file}`, { key: keys[viewer] as string, range });
		const ended = one.finally(() => running.delete(ended));
		running.add(ended);
	}
	await Promise.all(running);
	clearInterval(revoking);
	client.close();
	if (failed > 0) console.log(`${failed} answers were 5xx or broke off`);
	return { sent, service: givenBy(origin) };
}

/**
 * Returns how many bytes the service gave since its log began: in slices that an edge keeps, and in all. An edge passes
 * a request on as it came while no feed comes in time, for instance because the machine is too busy.
 */
function givenBy({ log }: Origin): { slices: number; all: number } {
	const given = { slices: 0, all: 0 };
	for (const { method, headers } of log) {
		const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
		if (range === null || method === "HEAD") continue;
		const [start, end] = [Number(range[1]), Number(range[2])];
		const bytes = Math.min(end, filmBytes - 1) - start + 1;
		given.all += bytes;
		if (end - start + 1 === sliceBytes * byteScale) given.slices += bytes;
	}
	return given;
}
