import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type {} from "@reelmill/elements";
import { createReelmill, type Reelmill, type Video, type WebhookEvent } from "@reelmill/node";
import { openTestDatabase } from "@reelmill/postgres/testing";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../packages/browser/test/support/chromium.ts";
import { type BackEnd, startBackEnd } from "../src/back-end.ts";
import { type Service, startService } from "../src/service.ts";

const run = promisify(execFile);
const clip = fileURLToPath(new URL("../assets/clip.mp4", import.meta.url));
const webhookSecret = "whsec_main_job";

/**
 * Everything is real: the reference server and its worker in their own process, PostgreSQL, ffmpeg, a tenant's back end
 * on another origin, Chromium.
 */
let directory: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: Service;
let reelmill: Reelmill;
let backEnd: BackEnd;
let browser: Browser;
let page: Page;
const events: WebhookEvent[] = [];
const heard = new Set<() => void>();

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-main-job-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	[service, browser] = await Promise.all([
		startService(join(directory, "data"), { REELMILL_DATABASE_URL: database.url }),
		launchChromium(),
	]);
	reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	backEnd = await startBackEnd({
		reelmill,
		webhookSecret,
		onWebhook(event) {
			events.push(event);
			for (const look of heard) look();
		},
	});
	await reelmill.domain.updateConfig({
		webhook_url: backEnd.webhookUrl,
		webhook_secret: webhookSecret,
		outputs: { dash: true },
		cors_origins: [backEnd.url],
	});
	page = await browser.newPage();
});

afterAll(async () => {
	await browser?.close();
	await backEnd?.close();
	await service?.stop();
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

const event = (type: string, videoId: string): Promise<WebhookEvent> =>
	new Promise((resolve) => {
		const look = () => {
			const found = events.find((each) => each.type === type && each.data.video.id === videoId);
			if (found) resolve(found);
		};
		heard.add(look);
		look();
	});

type Player = HTMLElementTagNameMap["reelmill-player"];
const player = () => page.locator("reelmill-player");
const currentTime = () => player().evaluate(({ currentTime }: Player) => currentTime);
const passes = (seconds: number) =>
	page.waitForFunction((at) => (document.querySelector("reelmill-player")?.currentTime ?? 0) > at, seconds);
const choose = (file: string) => page.setInputFiles("reelmill-uploader input[type=file]", file);
/** Waits until the uploader has sent a share of its file, or all of it. */
const sent = (share: number) =>
	page.waitForFunction((part) => {
		const [item] = document.querySelector("reelmill-uploader")?.items ?? [];
		return part < 1 ? (item?.upload?.bytesSent ?? 0) > part * (item?.file.size ?? 0) : item?.status === "done";
	}, share);

describe("the main job", () => {
	let video: Video;
	let key: string;

	it("uploads a clip from a page of another origin, and continues after the page was reloaded", async () => {
		const network = await page.context().newCDPSession(page);
		await network.send("Network.enable");
		const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
		await page.goto(backEnd.url);
		await network.send("Network.emulateNetworkConditions", slow);
		await choose(clip);
		await sent(0.4);
		// A server that gets no processor has none of it yet.
		const uploads = join(directory, "data/uploads");
		const isUpload = (name: string) => name.endsWith("/bytes");
		const begun = async () => (await readdir(uploads, { recursive: true })).find(isUpload) ?? "";
		await expect.poll(async () => (await stat(join(uploads, await begun()))).size).toBeGreaterThan(4096);

		await page.reload();
		await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
		const offsets: number[] = [];
		const initiations: string[] = [];
		page.on("request", (request) => {
			if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
			if (asks(request, "upload")) initiations.push(request.url());
		});
		await choose(clip);
		await sent(1);
		const size = (await readFile(clip)).byteLength;
		expect(offsets[0]).toBeGreaterThan(0);
		expect(offsets[0]).toBeLessThan(size);
		expect(initiations).toHaveLength(1);
		const upload = await page.evaluate(() => document.querySelector("reelmill-uploader")?.items[0]?.upload);
		expect(upload?.resumedFromBytes).toBe(offsets[0]);
		video = await reelmill.videos.get(upload?.videoId ?? "");
		expect(video).toMatchObject({ visibility: "private", file_size: size, content_type: "video/mp4" });
		await expect.poll(() => player().getAttribute("poster")).toMatch(/^data:image\/jpeg/);
	});

	it("shows no picture of a video in the place of the next one", async () => {
		const hasFilm = await page.evaluate(() => {
			const uploader = document.querySelector("reelmill-uploader");
			const [item] = uploader?.items ?? [];
			const drawn = { count: 0 };
			const { revokeObjectURL } = URL;
			URL.revokeObjectURL = (address) => {
				revokeObjectURL(address);
				drawn.count++;
			};
			// The second one is no film, so there is a picture of the first one alone.
			for (const file of [item?.file, new File(["text"], "other.mp4")]) {
				const upload = { ...item?.upload, videoId: file?.name };
				uploader?.dispatchEvent(new CustomEvent("uploaddone", { detail: { item: { ...item, file, upload } } }));
			}
			Object.assign(globalThis, { drawn });
			return item !== undefined;
		});
		expect(hasFilm).toBe(true);
		await page.waitForFunction(() => (globalThis as unknown as { drawn: { count: number } }).drawn.count === 2);
		expect(await player().evaluate(({ videoId, poster }: Player) => [videoId, poster])).toEqual(["other.mp4", null]);
	});

	it("transcodes it, and tells the tenant by a webhook with a valid signature", async () => {
		video = await reelmill.videos.wait(video.id, { intervalSeconds: 1 });
		expect(video).toMatchObject({ state: "available", progress: 100, failure_reason: null, width: 720, height: 404 });
		expect(video.outputs?.renditions.map(({ codec }) => codec)).toEqual(["h264", "av1"]);
		const told = await event("video.ready", video.id);
		expect(told.data.video).toEqual(video);
	});

	it("plays nothing without a key", async () => {
		const { hls_url, dash_url, mp4_url, thumbnail_url, poster_url } = video.outputs as NonNullable<Video["outputs"]>;
		for (const url of [hls_url, dash_url, mp4_url, thumbnail_url, poster_url]) {
			const answer = await fetch(url as string);
			expect([answer.status, await answer.json()]).toEqual([
				401,
				expect.objectContaining({ error: "playback_key_required" }),
			]);
			expect((await fetch(url as string, { headers: { authorization: `Bearer ${service.apiKey}` } })).status).toBe(401);
		}
		await page.route("**/api/video", (route) =>
			asks(route.request(), "playback_key")
				? route.fulfill({ json: { playback_key: "forged", expires_at: "2100-01-01T00:00:00.000Z" } })
				: route.continue(),
		);
		await page.goto(`${backEnd.url}/?video=${video.id}`);
		await page.getByText("You may not watch this video any more.").waitFor();
		expect(
			await player().evaluate(({ player, media }: Player) => [player?.state.get().error?.code, media.readyState]),
		).toEqual(["playback_key_invalid", 0]);
		await page.unroute("**/api/video");
	});

	for (const codec of ["h264", "av1"] as const) {
		it(`plays the private video in ${codec} with its key, and a seek works`, async () => {
			await page.goto(`${backEnd.url}/?video=${video.id}`);
			await player().evaluate(
				(element: Player, chosen) => Object.assign(element, { codec: chosen, muted: true }),
				codec,
			);
			await page.getByRole("button", { name: "Play" }).first().click();
			await passes(0.5);
			await player().evaluate(
				(element: Player) =>
					new Promise((resolve) => {
						element.addEventListener("seeked", resolve, { once: true });
						element.currentTime = 5;
					}),
			);
			await passes(5.2);
			const played = await player().evaluate(({ player, media }: Player) => [
				player?.state.get().codec,
				media.videoHeight,
			]);
			expect([...played, (await currentTime()) > 5]).toEqual([codec, 404, true]);
		});
	}

	it("serves files that all decode without an error", async () => {
		key = (await reelmill.playbackKeys.create({ viewer_ref: "checker" })).playback_key;
		const base = `${service.baseUrl}/videos/${video.id}/`;
		const master = await text(base, "hls/master.m3u8");
		const named = [...master.matchAll(/^[^#\s]\S+\.m3u8$|URI="([^"]+)"/gm)].map((match) => match[1] ?? match[0]);
		const playlists = [...new Set(named)].map((name) => `hls/${name}`);
		const media = new Set<string>();
		for (const playlist of playlists)
			for (const match of (await text(base, playlist)).matchAll(/URI="\.\.\/([^"]+)"/g)) media.add(match[1] as string);
		expect([playlists.length, [...media].sort()]).toEqual([
			5,
			["media/audio.m4a", "media/av1_404.mp4", "media/h264_404.mp4"],
		]);
		for (const path of [
			"web.mp4",
			"og.jpg",
			"poster.jpg",
			"dash/manifest.mpd",
			...media,
			...playlists,
			"hls/master.m3u8",
		])
			await save(base, path);
		for (const path of ["web.mp4", "og.jpg", "poster.jpg", ...media, "hls/master.m3u8", "dash/manifest.mpd"]) {
			const file = join(directory, "served", path);
			const { stdout } = await run("ffprobe", [
				"-v",
				"error",
				"-show_entries",
				"stream=codec_name",
				"-of",
				"csv=p=0",
				file,
			]);
			expect(stdout, path).toMatch(/h264|av1|aac|mjpeg/);
			const { stderr } = await run("ffmpeg", ["-v", "error", "-xerror", "-i", file, "-map", "0", "-f", "null", "-"]);
			expect(stderr, path).toBe("");
		}
	});

	it("answers ranges and validators as a player's cache needs them", async () => {
		const url = `${service.baseUrl}/videos/${video.id}/web.mp4`;
		const headers = { authorization: `Bearer ${key}` };
		const whole = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
		const part = await fetch(url, { headers: { ...headers, range: "bytes=1000-1999" } });
		expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 1000-1999/${whole.byteLength}`]);
		expect(sha256(Buffer.from(await part.arrayBuffer()))).toBe(sha256(whole.subarray(1000, 2000)));
		const again = await fetch(url, { headers: { ...headers, "if-none-match": part.headers.get("etag") as string } });
		expect(again.status).toBe(304);
	});

	it("gives the video the poster that its tenant chooses, and goes back to its own", async () => {
		const { posters } = reelmill;
		const made = async () => {
			await expect.poll(async () => (await posters.get(video.id)).state).not.toBe("pending");
			return posters.get(video.id);
		};
		const read = async (url: string | null) => {
			const answer = await fetch(url as string, { headers: { authorization: `Bearer ${key}` } });
			return { type: answer.headers.get("content-type"), bytes: Buffer.from(await answer.arrayBuffer()) };
		};
		const before = await read((await posters.get(video.id)).poster_url);
		expect((await posters.put(video.id, { atSeconds: 4.2 })).state).toBe("pending");
		const chosen = await made();
		expect(chosen).toMatchObject({ state: "available", source: "frame", at_seconds: 4.2, failure_reason: null });
		expect((await fetch(chosen.poster_url as string)).status).toBe(401);
		const frame = await read(chosen.poster_url);
		expect([frame.type, frame.bytes.equals(before.bytes)]).toEqual(["image/jpeg", false]);
		// It ends properly after its header: only a decoder sees that there is no picture.
		const hollow = [...frame.bytes.subarray(0, 700), 0xff, 0xd9];
		await posters.put(video.id, { picture: Uint8Array.from(hollow) });
		expect(await made()).toMatchObject({ state: "failed", failure_reason: "picture_unreadable" });
		await posters.delete(video.id);
		expect((await read((await posters.get(video.id)).poster_url)).bytes.equals(before.bytes)).toBe(true);
	});

	it("fails a file that is no video, tells the reason, and goes on with the next", async () => {
		const bad = join(directory, "bad.mp4");
		await writeFile(bad, "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n");
		await expect(reelmill.videos.upload(bad)).rejects.toMatchObject({ code: "invalid_content_type" });
		// Of a stream the SDK sees no first bytes before it sends them, but the service does.
		const declared = { content_type: "video/mp4", file_size: (await stat(bad)).size };
		await expect(reelmill.videos.upload(createReadStream(bad), declared)).rejects.toMatchObject({
			code: "invalid_content_type",
		});
		await writeFile(bad, "Nobody knows what these bytes are.\n");
		const { id } = await reelmill.videos.upload(bad);
		const refused = await reelmill.videos.wait(id, { intervalSeconds: 1 });
		expect(refused).toMatchObject({ state: "failed", failure_reason: "invalid_media", outputs: null });
		expect((await event("video.failed", refused.id)).data.video.failure_reason).toBe("invalid_media");
		const short = join(directory, "short.mp4");
		await run("ffmpeg", ["-v", "error", "-t", "1", "-i", clip, "-c", "copy", short]);
		const good = await reelmill.videos.wait((await reelmill.videos.upload(short, { visibility: "public" })).id, {
			intervalSeconds: 1,
		});
		expect(good.state).toBe("available");
		const open = await fetch(good.outputs?.hls_url as string);
		expect([open.status, open.headers.get("cache-control")]).toEqual([200, "public, max-age=86400"]);
	});

	async function text(base: string, path: string): Promise<string> {
		return (await save(base, path)).toString();
	}
	async function save(base: string, path: string): Promise<Buffer> {
		const answer = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
		expect(answer.status, path).toBe(200);
		const bytes = Buffer.from(await answer.arrayBuffer());
		const file = join(directory, "served", path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, bytes);
		return bytes;
	}
});

/** Whether the page asks its back end for this. */
const asks = (request: Request, action: string): boolean =>
	request.url().endsWith("/api/video") && (request.postDataJSON() as { action: string }).action === action;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
