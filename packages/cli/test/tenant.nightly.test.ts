import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Domain, KeyRotation, PlaybackKey, Usage, Video } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimed, initiate, openService, type Service } from "../../http/test/support/open-service.ts";
import { bearer } from "../../http/test/support/send.ts";
import { Interrupted, runCli } from "../src/index.ts";
import { finish, report } from "./support/finished.ts";
import { documents, reelmill, reelmillJson, started } from "./support/reelmill.ts";

let service: Service;
let directory = "";
let clip = "";
beforeAll(async () => {
	service = await openService();
	directory = await mkdtemp(join(tmpdir(), "reelmill-cli-"));
	clip = join(directory, "clip.mp4");
	await writeFile(clip, "0123456789");
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

async function tenant() {
	const { apiKey } = await service.tenant();
	return { apiKey, auth: bearer(apiKey), environment: { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey } };
}
type Tenant = Awaited<ReturnType<typeof tenant>>;
const videoOf = async ({ auth }: Tenant, id: string) =>
	(await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video;

describe("upload", () => {
	it("sends the file and gives the video", async () => {
		const mine = await tenant();
		const video = await reelmillJson<Video>(
			mine.environment,
			"upload",
			clip,
			"--public",
			"--external-ref",
			"lesson",
			"--uploader-ref",
			"me",
		);
		expect(video).toMatchObject({
			visibility: "public",
			external_ref: "lesson",
			uploader_ref: "me",
			file_size: 10,
			content_type: "video/mp4",
		});
		expect((await videoOf(mine, video.id)).state).toMatch(/^(uploaded|queued)$/);
	});

	it("waits for the video, and tells where it plays", async () => {
		const { auth, environment } = await tenant();
		const uploading = started(environment, "upload", clip, "--wait");
		expect((await uploading.notes.next()).value).toBe("Uploaded 10 bytes.");
		const { json } = await service.send({ path: "/v1/videos", headers: auth });
		const [{ id } = { id: "" }] = (json as { data: Video[] }).data;
		const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
		await finish(service, await service.engine.jobs.claimById(worker, id, { worker: "w" }));
		const lines = await Array.fromAsync(uploading.lines);
		expect(lines).toEqual([
			`${id}  available, private`,
			...["hls/master.m3u8", "web.mp4", "og.jpg"].map((file) => `${service.url}/videos/${id}/${file}`),
		]);
		expect(await uploading.ended).toBe(0);
	});

	it("draws a bar with speed and time left on a terminal, and cancels the video when it is stopped", async () => {
		const mine = await tenant();
		const large = join(directory, "large.mp4");
		await writeFile(large, "");
		await truncate(large, 40 * 1024 * 1024);
		const stop = new AbortController();
		const [drawn, results]: [string[], string[]] = [[], []];
		const stderr = {
			isTTY: true,
			write(text: string) {
				drawn.push(text);
				if (text.includes("of 40.0 MiB")) stop.abort(new Interrupted());
			},
		};
		const args = ["upload", large, "--uploader-ref", "stopped"];
		const code = await runCli(args, {
			environment: mine.environment,
			stdout: { write: (text) => results.push(text) },
			stderr,
			signal: stop.signal,
		});
		expect({ code, results }).toEqual({ code: 1, results: [] });
		expect(drawn.join("")).toMatch(/Uploading [█░]{24} +\d+ % {2}/);
		const { json } = await service.send({ path: "/v1/videos", headers: mine.auth });
		expect((json as { data: Video[] }).data.map(({ state, uploader_ref }) => [state, uploader_ref])).toEqual([
			["cancelled", "stopped"],
		]);
		expect(stripVTControlCharacters(drawn.slice(-2).join(""))).toMatch(
			/The upload did not finish; video [0-9a-f-]{36} is cancelled.\nreelmill: Stopped. \(interrupted\)\n$/,
		);
	});

	it("asks for the type that the file's ending does not tell, before anything is created", async () => {
		const { environment } = await tenant();
		const unknown = join(directory, "clip.bin");
		await writeFile(unknown, "0123456789");
		expect(await reelmill(environment, "upload", unknown)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("--content-type"),
		});
		expect(await reelmillJson(environment, "upload", unknown, "--content-type", "video/webm")).toMatchObject({
			content_type: "video/webm",
		});
	});

	it("refuses a file that is no video, and says what can be taken, before anything is created", async () => {
		const { environment } = await tenant();
		const sound = join(directory, "sound.mp4");
		await writeFile(sound, "ID3\x03 and the rest of a song");
		expect(await reelmill(environment, "upload", sound)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^reelmill: The file is sound alone, .* MP4, .* GIF\. \(invalid_content_type\)\n$/),
		});
		expect(await reelmill(environment, "videos", "list", "--json")).toMatchObject({ code: 0, stdout: "" });
	});

	it("tells the pending upload that is in the way", async () => {
		const mine = await tenant();
		const { video } = await initiate(service, mine.auth, { uploader_ref: "me" });
		const { code, stderr } = await reelmill(mine.environment, "upload", clip, "--uploader-ref", "me");
		expect(code).toBe(1);
		expect(stderr).toMatch(new RegExp(`\\(concurrent_upload_exists\\)\\n {2}existing_video_id: ${video.id}\\n`));
		expect((await videoOf(mine, video.id)).state).toBe("pending_upload");
	});
});

describe("videos", () => {
	it("list shows as many as asked for, as a table or a document a line", async () => {
		const { auth, environment } = await tenant();
		const ids: string[] = [];
		for (const external_ref of ["a", "b", "c"]) ids.unshift((await initiate(service, auth, { external_ref })).video.id);
		const table = (await reelmill(environment, "videos", "list", "--limit", "2")).stdout.trimEnd().split("\n");
		expect(table).toHaveLength(3);
		expect(table[0]).toMatch(/^ID +STATE +VISIBILITY +SIZE +EXTERNAL REF +CREATED$/);
		expect(table[1]?.indexOf("pending_upload")).toBe(table[0]?.indexOf("STATE"));
		const all = await reelmill(environment, "videos", "list", "--all", "--json");
		expect(new Set(documents<Video>(all.stdout).map(({ id }) => id))).toEqual(new Set(ids));
		expect(await reelmill(environment, "videos", "list", "--state", "available")).toEqual({
			code: 0,
			stdout: "",
			stderr: "",
		});
	});

	it("show, visibility, cancel and delete do what they say", async () => {
		const mine = await tenant();
		const { id } = (await initiate(service, mine.auth)).video;
		expect((await reelmill(mine.environment, "videos", "show", id)).stdout).toContain(`id                 ${id}\n`);
		expect(await reelmillJson(mine.environment, "videos", "visibility", id, "public")).toMatchObject({
			id,
			visibility: "public",
		});
		expect(await reelmill(mine.environment, "videos", "cancel", id)).toEqual({
			code: 0,
			stdout: `Video ${id} is cancelled.\n`,
			stderr: "",
		});
		expect(await reelmill(mine.environment, "videos", "cancel", id)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(invalid_state)"),
		});
		expect(await reelmill(mine.environment, "videos", "delete", id)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(video_not_deletable)"),
		});
		const other = (await initiate(service, mine.auth)).video;
		expect(await reelmillJson(mine.environment, "videos", "delete", other.id)).toEqual({ id: other.id, deleted: true });
		expect((await reelmill(mine.environment, "videos", "show", other.id)).stderr).toContain("(video_not_found)");
	});

	it("report tells how a video was processed, once it was", async () => {
		const { auth, environment } = await tenant();
		const job = await claimed(service, auth);
		expect((await reelmill(environment, "videos", "report", job.id)).stdout).toContain("has no report");
		expect(await reelmillJson(environment, "videos", "report", job.id)).toEqual({
			...{ video_id: job.id, warnings: [], report: null },
		});
		await finish(service, job);
		const { stdout } = await reelmill(environment, "videos", "report", job.id);
		expect(stdout.split("\n")[0]).toBe("warning: The picture is so dark that little can be seen. (very_dark)");
		expect(stdout).toContain("h264_1080: skipped, because it would be larger than the source of 1280x720\n");
		expect(stdout).toContain("proof.key_frames  4\n");
		expect(stdout).toContain("proof.tracks      name h264_720, bytes 1000\nproof.tracks      name audio, bytes 10\n");
		expect(await reelmillJson(environment, "videos", "report", job.id)).toEqual({
			video_id: job.id,
			warnings: [{ code: "very_dark", message: "The picture is so dark that little can be seen." }],
			report,
		});
		const other = await tenant();
		expect((await reelmill(other.environment, "videos", "report", job.id)).stderr).toContain("(video_not_found)");
	});

	it("watch tells each change until the video is available", async () => {
		const { auth, environment } = await tenant();
		const job = await claimed(service, auth);
		const watching = started(environment, "videos", "watch", job.id, "--json");
		const next = async () => JSON.parse((await watching.lines.next()).value ?? "null") as Video;
		expect(await next()).toMatchObject({ id: job.id, state: "locked" });
		await service.engine.jobs.heartbeat(job.id, { lock: job.lock, progress: 40 });
		expect(await next()).toMatchObject({ state: "encoding", progress: 40 });
		await finish(service, job);
		expect(await next()).toMatchObject({ state: "available", progress: 100 });
		expect(await watching.ended).toBe(0);
	});

	it("watch ends with 1 where the video failed", async () => {
		const { auth, environment } = await tenant();
		const { id, lock } = await claimed(service, auth);
		await service.engine.jobs.fail(id, { lock, reason: "invalid_media", retryable: false });
		const { code, stdout, stderr } = await reelmill(environment, "videos", "watch", id);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "failed (invalid_media)\n" });
		expect(stderr).toBe(`reelmill: Video ${id} did not become available: invalid_media. (failed)\n`);
	});
});

describe("the domain", () => {
	it("config set changes what it names and shows all of it, config show the same", async () => {
		const { environment } = await tenant();
		const set = await reelmillJson<Domain["config"]>(
			environment,
			"config",
			"set",
			"transcript=true",
			"outputs.dash=true",
			"webhook_secret=whsec_x",
		);
		expect(set).toMatchObject({ transcript: true, outputs: { hls: true, dash: true }, webhook_secret_set: true });
		expect(await reelmillJson(environment, "config", "show")).toEqual(set);
		expect(await reelmill(environment, "config", "set", "nonsense=1")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("nonsense"),
		});
	});

	it("limits and usage say what may be uploaded and what is left", async () => {
		const { environment } = await tenant();
		expect((await reelmill(environment, "limits")).stdout).toBe(
			"max_file_bytes        209715200\nmax_duration_seconds  180\n",
		);
		expect((await reelmillJson<Usage>(environment, "usage")).remaining.upload_bytes).toBe(10 * 1024 ** 3);
	});

	it("keys rotate gives a key that works beside the one before", async () => {
		const { environment } = await tenant();
		const { api_key } = await reelmillJson<KeyRotation>(environment, "keys", "rotate");
		for (const REELMILL_API_KEY of [api_key, environment.REELMILL_API_KEY])
			expect((await reelmill({ ...environment, REELMILL_API_KEY }, "limits")).code).toBe(0);
		expect((await reelmill(environment, "keys", "rotate")).stderr).toContain("(forbidden)");
		const next = await reelmillJson<KeyRotation>(
			{ ...environment, REELMILL_API_KEY: api_key },
			"keys",
			"rotate",
			"--grace-seconds",
			"0",
		);
		expect((await reelmill({ ...environment, REELMILL_API_KEY: next.api_key }, "limits")).code).toBe(0);
		for (const REELMILL_API_KEY of [api_key, environment.REELMILL_API_KEY])
			expect((await reelmill({ ...environment, REELMILL_API_KEY }, "limits")).stderr).toContain("(unauthorized)");
	});

	it("playback keys are minted, revoked for a viewer, and revoked for all", async () => {
		const { auth, environment } = await tenant();
		const { id } = (await initiate(service, auth)).video;
		const key = await reelmillJson<PlaybackKey>(
			environment,
			"playback-key",
			"create",
			"viewer",
			"--video",
			id,
			"--ttl",
			"60",
		);
		expect(key).toMatchObject({ viewer_ref: "viewer", video_ids: [id], token_type: "Bearer" });
		expect(Date.parse(key.expires_at) - service.clock.now()).toBe(60_000);
		expect(await reelmillJson(environment, "playback-key", "revoke", "viewer")).toMatchObject({ viewer_ref: "viewer" });
		expect(await reelmillJson(environment, "playback-key", "revoke-all")).toEqual({ epoch: expect.any(Number) });
	});

	it("a person is erased with her videos, once it is meant", async () => {
		const { auth, environment } = await tenant();
		await initiate(service, auth, { uploader_ref: "ada" });
		expect(await reelmill(environment, "erasures", "create", "ada")).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("--yes"),
		});
		expect(await reelmillJson(environment, "erasures", "create", "ada", "--yes")).toEqual({ deleted: 1, forgotten: 0 });
	});
});
