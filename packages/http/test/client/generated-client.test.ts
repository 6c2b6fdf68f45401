import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generators } from "../../../../scripts/generators/generate.ts";
import { deliveredFiles } from "../support/finished.ts";
import { completion, once, openService, type Service } from "../support/open-service.ts";

type Answer<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;
type Call<Data> = (options: object) => Answer<Data>;
/** The part of the generated client that this test calls. */
type Client = {
	createVideo: Call<{ video: { id: string }; upload: { token: string } }>;
	createUpload: Call<unknown>;
	appendUpload: Call<unknown>;
	getUploadOffset: Call<unknown>;
	getVideo: Call<{ state: string }>;
	createPlaybackKey: Call<{ playback_key: string }>;
	getMasterPlaylist: Call<Blob>;
	getMedia: Call<Blob>;
	getTranscriptFile: Call<string>;
};

let service: Service;
let folder: string;
let client: Client;
beforeAll(async () => {
	service = await openService();
	folder = await mkdtemp(join(tmpdir(), "reelmill-client-"));
	const document = join(folder, "openapi.json");
	await writeFile(document, (await service.send({ path: "/v1/openapi.json" })).text);
	await generators["hey-api"](document, folder);
	client = (await import(pathToFileURL(join(folder, "client/index.ts")).href)) as Client;
});
afterAll(async () => {
	await service.close();
	await rm(folder, { recursive: true });
});

it("uploads and plays a clip with a client that was generated from the served document", async () => {
	const { apiKey } = await service.tenant();
	const clip = new Uint8Array(300_000).map((_, index) => index % 251);
	const file = new Blob([clip], { type: "video/mp4" });

	const created = await client.createVideo({ auth: apiKey, body: { content_type: "video/mp4", file_size: file.size } });
	const { video: { id } = { id: "" }, upload } = created.data ?? {};
	const uploading = { auth: upload?.token, path: { id } };
	const version = { "Tus-Resumable": "1.0.0" };
	await client.createUpload({
		auth: upload?.token,
		headers: { ...version, "Upload-Length": file.size, "Upload-Metadata": `video_id ${btoa(id)}` },
	});
	const half = 140_000;
	const first = await client.appendUpload({
		...uploading,
		headers: { ...version, "Upload-Offset": "0" },
		body: file.slice(0, half),
	});
	expect(first.response.status).toBe(204);
	const asked = await client.getUploadOffset({ ...uploading, headers: version });
	expect(asked.response.headers.get("upload-offset")).toBe(String(half));
	await client.appendUpload({
		...uploading,
		headers: { ...version, "Upload-Offset": String(half) },
		body: file.slice(half),
	});
	expect((await client.getVideo({ auth: apiKey, path: { id } })).data?.state).toBe("queued");

	const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "worker" };
	const job = await service.engine.jobs.claimById(worker, id, { worker: "w" });
	const source = await service.send({
		path: `/internal/v1/jobs/${id}/source`,
		headers: await service.serviceAuth(),
	});
	expect(source.bytes.equals(Buffer.from(clip))).toBe(true);
	const entries = async function* () {
		for (const [path, text] of Object.entries(deliveredFiles)) yield { path, bytes: once(text) };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	await service.engine.jobs.complete(job.id, completion(job.lock, Object.keys(deliveredFiles)));

	const key = await client.createPlaybackKey({ auth: apiKey, body: { viewer_ref: "viewer-1" } });
	const playing = { auth: key.data?.playback_key, path: { id } };
	const playlist = await client.getMasterPlaylist(playing);
	expect(await playlist.data?.text()).toBe(deliveredFiles["hls/master.m3u8"]);
	const media = await client.getMedia({
		...playing,
		path: { id, file: "h264_720.mp4" },
		headers: { Range: "bytes=2-5" },
	});
	expect([media.response.status, await media.data?.text()]).toEqual([206, "2345"]);
	expect((await client.getTranscriptFile(playing)).data).toBe("WEBVTT\n");
	const refused = await client.getMasterPlaylist({ path: { id } });
	expect(refused.error).toMatchObject({ error: "playback_key_required" });
});
