import {
	type Clip,
	type CreatedServiceAccount,
	type CreatedVideo,
	type Domain,
	type Import,
	isJsonOperation,
	type Job,
	type SandboxSession,
	type WebhookDelivery,
	type WebhookDeliveryDetail,
} from "@reelmill/contracts";
import { playlistOf } from "@reelmill/engine/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listedAnswers, nameOf, pathOf, served } from "../support/contract.ts";
import { playbackAuth } from "../support/credentials.ts";
import { type DescribedService, openDescribedService } from "../support/described-service.ts";
import { finished } from "../support/finished.ts";
import { captions, minimalRequest } from "../support/minimal.ts";
import { adminKey, completion, initiate, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";
import { consoleSecret, signIn } from "../support/sessions.ts";
import { offsetType, tusFor } from "../support/tus.ts";
import { zipOf } from "../support/zip.ts";

type Headers = Record<string, string>;
let described: DescribedService;
let service: Service;
let call: DescribedService["call"];
beforeAll(async () => {
	described = await openDescribedService();
	({ service, call } = described);
});
afterAll(() => described.close());

const servedJson = served.filter(isJsonOperation);
const unknown = "00000000-0000-4000-8000-000000000000";
const admin = bearer(adminKey);
/** The beginning of a WebP file, in ASCII, as prism passes on no other bytes. The server looks no further. */
const onePixel = `RIFF\x16\0\0\0WEBPVP8X0000${"\0".repeat(10)}`;
const video = { content_type: "video/mp4", file_size: 10 };

/** Initiates an upload through prism and sends its bytes past it. */
async function uploaded(headers: Headers, more: object = {}): Promise<string> {
	const created = await call<CreatedVideo>("201", "createVideo", { headers, json: { ...video, ...more } });
	await tusFor(service.url, created).create({ headers: offsetType, body: "0123456789" });
	return created.video.id;
}

describe("the served document", () => {
	it("is held against what is answered: prism names what it doesn't describe", async () => {
		const { violationsIn } = described;
		expect(await violationsIn(200, { status: "ok", version: "1" })).toEqual([]);
		expect(await violationsIn(200, { status: "ok", version: 1 })).toEqual([expect.stringContaining("version")]);
		expect(await violationsIn(200, { status: "ok" })).toEqual([expect.stringContaining("version")]);
		expect(await violationsIn(207, { status: "ok", version: "1" })).toEqual([expect.stringContaining("status code")]);
		expect(await violationsIn(400, { error: "video_not_found", message: "x" })).toContainEqual(
			expect.stringContaining("error"),
		);
	});

	it.each(servedJson)("describes how $name refuses", async (operation) => {
		const { domain, auth } = await service.tenant();
		const credentials: Record<string, Headers> = {
			tenant: auth,
			service: await service.serviceAuth(),
			admin,
			console: (await signIn(service, { role: "admin" })).headers,
			none: { "x-service-console": "1" },
		};
		const sent = minimalRequest(operation, unknown);
		const answerTo = (more: Partial<Sent>, headers = credentials[operation.auth]) =>
			described.answer(operation.name, { ...sent, ...more, headers: { ...sent.headers, ...headers, ...more.headers } });
		for (const headers of [{}, bearer("x"), auth, await playbackAuth(service, auth)]) await answerTo({}, headers);
		const unknownKey = await answerTo({ path: `${sent.path}${sent.path.includes("?") ? "&" : "?"}nope=1` });
		// An identity provider may add to its answer what it likes.
		const error = operation.name === "completeOauth" ? "oauth_failed" : "validation_error";
		expect(unknownKey).toMatchObject({ status: 400, json: { error } });
		if (operation.params) for (const id of [domain.id, "x"]) await answerTo({ path: pathOf(operation, () => id) });
		if (operation.body === undefined) return;
		// No body that isn't JSON: prism never answers one.
		for (const body of ['{"a":"\\u0000"}', "[]", '{"nope":1}', `"${"x".repeat(66_000)}"`]) {
			await answerTo({ json: undefined, body, headers: { "content-type": "application/json" } });
		}
		await answerTo({ json: undefined, body: "x", headers: { "content-type": "text/plain" } });
	});

	it("describes a domain's own operations", async () => {
		const { auth: headers } = await service.tenant();
		await call("200", "getHealth");
		await call("200", "getDomain", { headers });
		await call("200", "updateDomainConfig", {
			headers,
			json: {
				webhook_url: "https://hooks.example/",
				webhook_secret: "whsec_x",
				outputs: { dash: true },
				cors_origins: ["https://a.example"],
				default_outro_slug: null,
			},
		});
		await call("200", "getLimits", { headers });
		await call("200", "getUsage", { headers });
		await call("200", "listUsageDays", { headers, query: "?from=2026-01-01&to=2026-01-31" });
		await call("200", "listUsageDays", { headers });
		await call("200", "getFirstSteps", { headers });
		await call("200", "rotateWebhookSecret", { headers });
		await call("200", "listDomainAudit", { headers, query: "?limit=1&action=domain.webhook_secret_rotated" });
		const { data: keys } = await call<{ data: { id: string }[] }>("200", "listDomainKeys", { headers });
		await call("409 invalid_state", "endDomainKey", { headers, id: keys[0]?.id ?? "" });
		const { api_key } = await call<{ api_key: string }>("200", "rotateDomainKey", { headers });
		await call("200", "getDomain", { headers: bearer(api_key) });
		await call("200", "listStorageLocations", { headers });
		await call("200", "getStorage", { headers });
		await call("200", "verifyStorage", { headers, json: { backend: "local" } });
		await call("200", "listStoragePlaces", { headers });
		await call("200", "putStorage", { headers, json: { backend: "local" } });
		await call("200", "deleteStorage", { headers });
		await call("204", "endDomainKey", { headers: bearer(api_key), id: keys[0]?.id ?? "" });
	});

	it("describes a video from its initiation to its end, and the webhooks that tell of it", async () => {
		const { domain, auth: headers } = await service.tenant({
			webhook_url: "https://hooks.example/",
			webhook_secret: "whsec_x",
		});
		const { video: pending } = await call<CreatedVideo>("201", "createVideo", {
			headers,
			json: {
				...video,
				duration_seconds: 3,
				external_ref: "e",
				uploader_ref: "u",
				transcript: true,
				outro_slug: null,
				visibility: "public",
			},
		});
		const at = { id: pending.id, headers };
		await call("409 concurrent_upload_exists", "createVideo", { headers, json: { ...video, uploader_ref: "u" } });
		await call("400 invalid_content_type", "createVideo", { headers, json: { ...video, content_type: "text/plain" } });
		await call("400 duration_too_long", "createVideo", { headers, json: { ...video, duration_seconds: 999 } });
		await call("200", "getVideo", at);
		const metadata = { title: "How a cell divides", values: { course: "7b" } };
		expect(await call("200", "putVideoMetadata", { ...at, json: metadata })).toEqual({
			video_id: pending.id,
			...metadata,
		});
		await call("200", "getVideoMetadata", at);
		for (const [sent, said] of [
			[{ title: "" }, "title: "],
			[{ title: "x".repeat(201) }, "title: "],
			[{ title: "two\nlines" }, "title: holds a control character"],
			[{ values: { "": "x" } }, "values"],
			[{ values: { ["k".repeat(41)]: "x" } }, "values"],
			[{ values: { key: "v".repeat(501) } }, "values.key: "],
			[{ values: { key: "\u0085" } }, "values.key: holds a control character"],
			[{ values: { "a\tb": "x" } }, "values"],
			[{ values: { key: 7 } }, "values.key: "],
			[{ values: JSON.parse('{"__proto__":"x"}') }, "values.__proto__: "],
			[{ values: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) }, "values: has more than 20"],
			[{ more: 1 }, "more: unknown key"],
			[{ values: undefined }, "values: "],
		] as const) {
			const refused = { ...at, json: { ...metadata, ...sent } };
			const { message } = await call<{ message: string }>("400 validation_error", "putVideoMetadata", refused);
			expect(message).toContain(said);
		}
		const found = { headers, query: "?search=how%20A&metadata_key=course&metadata_value=7b&include=metadata" };
		const { data: named } = await call<{ data: object[] }>("200", "listVideos", found);
		expect(named).toMatchObject([{ id: pending.id, metadata }]);
		await call("400 validation_error", "listVideos", { headers, query: "?metadata_key=course" });
		await call("200", "updateVideoVisibility", { ...at, json: { visibility: "private" } });
		await call("200", "getTranscript", at);
		await call("200", "getVideoReport", at);
		await call("200", "getVideoTimeline", at);
		await call("200", "countVideos", { headers });
		await call("200", "cancelVideo", at);
		await call("409 invalid_state", "cancelVideo", at);
		await call("422 video_not_deletable", "deleteVideo", at);
		const other = await call<CreatedVideo>("201", "createVideo", { headers, json: video });
		await call("204", "deleteVideo", { headers, id: other.video.id });
		const { next_cursor } = await call<{ next_cursor: string | null }>("200", "listVideos", {
			headers,
			query: "?limit=1&state=cancelled&external_ref=e&uploader_ref=u",
		});
		expect(next_cursor).toBeNull();
		await call("400 invalid_cursor", "listVideos", { headers, query: "?cursor=x" });
		await service.engine.sweep();
		const { data } = await call<{ data: WebhookDelivery[] }>("200", "listWebhookDeliveries", {
			headers,
			query: "?status=delivered&limit=2",
		});
		expect(data[0]?.attempts).toHaveLength(1);
		await call("200", "replayWebhookDelivery", { headers, id: data[0]?.id ?? "" });
		const { exchanges } = await call<WebhookDeliveryDetail>("200", "getWebhookDelivery", {
			headers,
			id: data[0]?.id ?? "",
		});
		expect(exchanges[0]?.request?.url).toBe("https://hooks.example/");
		await call("200", "replayWebhookDeliveries", { headers, json: { since: "2020-01-01T00:00:00Z" } });
		await call("201", "sendTestWebhook", { headers });
		const { auth: deaf } = await service.tenant();
		await call("409 invalid_state", "sendTestWebhook", { headers: deaf });
		await call("409 invalid_state", "triggerWebhook", { headers: deaf, json: { type: "video.ready" } });
		await call("200", "listenToWebhooks", { headers: deaf, id: unknown, json: {} });
		await call("201", "triggerWebhook", { headers: deaf, json: { type: "video.ready" } });
		for (let other = 1; other < 10; other++)
			await call("200", "listenToWebhooks", { headers: deaf, id: unknown.replace(/0$/, String(other)), json: {} });
		await call("409 invalid_state", "listenToWebhooks", { headers: deaf, id: unknown.replace(/0$/, "a"), json: {} });
		await service.engine.admin.updateDomain(domain.id, { limits: { daily_upload_bytes: 1 } });
		await call("429 upload_quota_exceeded", "createVideo", { headers, json: video });
	});

	it("describes captions", async () => {
		const { auth: headers } = await service.tenant();
		const at = { id: await finished(service, headers), headers };
		const sent = { ...at, headers: { ...headers, "content-type": "text/vtt" }, body: captions };
		await call("404 not_found", "getVideoCaptions", at);
		await call("200", "putCaptions", { ...sent, query: "?label=Deutsch&kind=captions" });
		await call("400 validation_error", "putCaptions", { ...sent, body: "WEBVTT\n\nGuten Tag" });
		await call("200", "getVideoCaptions", at);
		await call("200", "listCaptions", at);
		await call("204", "deleteCaptions", at);
		await call("404 not_found", "deleteCaptions", at);
		const { video: pending } = await initiate(service, headers);
		await call("409 invalid_state", "putCaptions", { ...sent, id: pending.id });
		await call("409 invalid_state", "listCaptions", { headers, id: pending.id });
	});

	it("describes chapters", async () => {
		const { auth: headers } = await service.tenant();
		const at = { id: await finished(service, headers), headers };
		await call("200", "putChapters", { ...at, json: { chapters: [{ start_seconds: 0, title: "One" }] } });
		await call("400 validation_error", "putChapters", {
			...at,
			json: { chapters: [{ start_seconds: 999, title: "One" }] },
		});
		await call("200", "getVideoChapters", at);
		await call("204", "deleteChapters", at);
		await call("404 not_found", "deleteChapters", at);
		const { video: pending } = await initiate(service, headers);
		await call("409 invalid_state", "getVideoChapters", { headers, id: pending.id });
	});

	it("describes clips", async () => {
		const { domain, auth: headers } = await service.tenant();
		const at = { id: await finished(service, headers), headers };
		const json = { start_seconds: 0, end_seconds: 0.5, title: "How it begins", external_ref: "e" };
		const clip = await call<Clip>("201", "createClip", { ...at, json });
		const keyed = { headers: { ...headers, "idempotency-key": "clip" }, id: at.id, json };
		expect(await call("201", "createClip", keyed)).toEqual(await call("201", "createClip", keyed));
		for (const [sent, said] of [
			[{ start_seconds: -1 }, "start_seconds: "],
			[{ start_seconds: 999, end_seconds: 1000 }, "start_seconds: the video lasts "],
			[{ end_seconds: 999 }, "end_seconds: the video lasts "],
			[{ end_seconds: 0.4 }, "end_seconds: must be at least 0.5 s"],
			[{ title: "two\nlines" }, "title: holds a control character"],
			[{ uploader_ref: "ada" }, "uploader_ref: unknown key"],
		] as const) {
			const refused = { ...at, json: { ...json, ...sent } };
			const { message } = await call<{ message: string }>("400 validation_error", "createClip", refused);
			expect(message).toContain(said);
		}
		await call("400 outro_not_found", "createClip", { ...at, json: { ...json, outro_slug: "none" } });
		await call("409 invalid_state", "createClip", { headers, id: clip.video.id, json });
		expect(await call("200", "listClips", { ...at, query: "?limit=100" })).toMatchObject({ next_cursor: null });
		await call("400 invalid_cursor", "listClips", { ...at, query: "?cursor=x" });
		await service.engine.admin.updateDomain(domain.id, { limits: { daily_upload_bytes: 1 } });
		await call("429 upload_quota_exceeded", "createClip", { ...at, json });
	});

	it("describes posters", async () => {
		const { auth: headers } = await service.tenant();
		const at = { id: await finished(service, headers), headers };
		await call("200", "getVideoPoster", at);
		await call("202", "putPoster", { ...at, json: { at_seconds: 0 } });
		await call("400 validation_error", "putPoster", { ...at, json: { at_seconds: 999 } });
		const sent = { ...at, headers: { ...headers, "content-type": "image/png" } };
		await call("400 validation_error", "putPoster", { ...sent, body: "no picture" });
		await call("413 bad_request", "putPoster", { ...sent, body: "0".repeat(5_000_001) });
		await call("202", "putPoster", { ...sent, body: onePixel });
		await call("204", "deletePoster", at);
		await call("404 not_found", "deletePoster", at);
		const { video: pending } = await initiate(service, headers);
		await call("409 invalid_state", "getVideoPoster", { headers, id: pending.id });
	});

	it("describes outros", async () => {
		const { domain, auth: headers } = await service.tenant();
		const json = { slug: "tail", ...video, duration_seconds: 3, label: "The spring one" };
		await call("201", "createOutro", { headers, json });
		await call("400 invalid_content_type", "createOutro", { headers, json: { ...json, content_type: "text/plain" } });
		await call("400 duration_too_long", "createOutro", { headers, json: { ...json, duration_seconds: 999 } });
		await call("200", "listOutros", { headers });
		await call("200", "getOutro", { headers, id: "tail" });
		await call("404 outro_not_found", "getOutro", { headers, id: "none" });
		await call("404 outro_not_found", "getOutro", { headers, id: "%00" });
		await call("400 outro_not_found", "createVideo", { headers, json: { ...video, outro_slug: "none" } });
		await call("409 outro_not_ready", "createVideo", { headers, json: { ...video, outro_slug: "tail" } });
		await service.engine.admin.updateDomain(domain.id, { limits: { daily_upload_bytes: 1 } });
		await call("429 upload_quota_exceeded", "createOutro", { headers, json });
		await call("204", "deleteOutro", { headers, id: "tail" });
		await call("404 outro_not_found", "deleteOutro", { headers, id: "tail" });
	});

	it("describes imports", async () => {
		const { auth: headers } = await service.tenant();
		const json = { url: "https://files.example/clip.mp4?key=secret", external_ref: "lesson-1" };
		const { id } = await call<Import>("202", "createImport", { headers, json });
		await call("400 validation_error", "createImport", { headers, json: { ...json, url: "ftp://files.example/" } });
		await call("400 invalid_content_type", "createImport", { headers, json: { ...json, content_type: "text/plain" } });
		await call("400 duration_too_long", "createImport", { headers, json: { ...json, duration_seconds: 901 } });
		await call("200", "listImports", { headers, query: "?status=waiting&limit=1" });
		await call("400 invalid_cursor", "listImports", { headers, query: "?cursor=x" });
		await call("200", "getImport", { headers, id });
		await call("404 import_not_found", "getImport", { headers, id: unknown });
		await call("204", "cancelImport", { headers, id });
		await call("404 import_not_found", "cancelImport", { headers, id: unknown });
	});

	it("describes playback keys and the sandbox", async () => {
		const { auth: headers, domain } = await service.tenant();
		await call("200", "getPlaybackKeySet");
		await call("200", "getEdgeFeed", { id: domain.id });
		await call("404 not_found", "getEdgeFeed", { id: unknown });
		await call("201", "createPlaybackKey", {
			headers,
			json: { viewer_ref: "v", ttl_seconds: 60, video_ids: [unknown] },
		});
		await call("200", "revokePlaybackKeys", { headers, json: { viewer_ref: "v" } });
		await call("200", "revokeAllPlaybackKeys", { headers });
		await call("202", "createErasure", { headers, json: { uploader_ref: "user-42" } });
		const session = bearer((await call<SandboxSession>("200", "createSandboxSession")).api_key);
		await call("200", "getLimits", { headers: session });
		await call("403 sandbox_not_allowed", "getDomain", { headers: session });
		await call("403 sandbox_not_allowed", "createVideo", {
			headers: session,
			json: { ...video, visibility: "public" },
		});
		await call("201", "createVideo", { headers: session, json: video });
	});

	it("describes the work of a worker, and the videos that come of it", async () => {
		const { auth } = await service.tenant({ webhook_url: "https://hooks.example/", webhook_secret: "whsec_x" });
		const created = await call<CreatedServiceAccount>("201", "createServiceAccount", {
			headers: admin,
			json: { name: "described" },
		});
		const { token } = await call<{ token: string }>("200", "issueServiceToken", {
			json: { name: "described", secret: created.secret },
		});
		await call("401 invalid_credentials", "issueServiceToken", { json: { name: "described", secret: "x" } });
		const headers = bearer(token);
		await call("204", "claimJob", { headers, json: { worker: "w" } });
		await call("200", "getJobQueue", { headers });
		const done = await uploaded(auth);
		const job = await call<Job>("200", "claimJob", { headers, json: { worker: "w", wait_seconds: 0 } });
		const at = { id: done, headers };
		await call("409 video_not_claimable", "claimJobById", { ...at, json: { worker: "w" } });
		await call("200", "heartbeatJob", {
			...at,
			json: { lock: job.lock, progress: 10, probe: { duration_seconds: 1.5, width: 1280, height: 720 } },
		});
		await call("403 not_lock_holder", "heartbeatJob", { ...at, json: { lock: unknown, progress: 10 } });
		const pieces = {
			lock: job.lock,
			chunks: [{ first_frame: 50, end_frame: 100, digest: "a".repeat(64), speed: "balanced" }],
		};
		await call("403 not_lock_holder", "offerJobChunks", { ...at, json: { ...pieces, lock: unknown } });
		const { data } = await call<{ data: [string] }>("200", "offerJobChunks", { ...at, json: pieces });
		await call("403 not_lock_holder", "nextJobChunk", { ...at, json: { lock: unknown, take: true } });
		const chunk = await call<Job>("200", "claimJob", {
			headers,
			json: { worker: "helper", takes_chunks: true, machine: "another" },
		});
		expect(chunk.id).toBe(data[0]);
		const sendPart = {
			method: "PUT",
			path: `/internal/v1/jobs/${chunk.id}/outputs?lock=${chunk.lock}`,
			body: await zipOf({ "h264_720.mp4": "part" }),
		};
		expect(
			(await service.send({ ...sendPart, headers: { ...headers, "content-type": "application/zip" } })).status,
		).toBe(204);
		const part = { path: "h264_720.mp4", size: 4, sha256: "b".repeat(64) };
		const chunkDone = completion(chunk.lock, []);
		await call("200", "completeJob", {
			id: chunk.id,
			headers,
			json: { ...chunkDone, outputs: { files: [part], renditions: [] } },
		});
		expect(await call("200", "nextJobChunk", { ...at, json: { lock: job.lock, take: true } })).toMatchObject({
			taken: null,
			data: [{ files: [part] }],
		});
		const fetchPart = { path: `/internal/v1/jobs/${chunk.id}/parts?lock=${job.lock}&path=h264_720.mp4`, headers };
		expect((await service.send(fetchPart)).text).toBe("part");
		expect(await service.send({ ...fetchPart, headers: { ...headers, range: "bytes=2-" } })).toMatchObject({
			status: 206,
			text: "rt",
		});
		expect((await service.send({ path: `/videos/${chunk.id}/h264_720.mp4` })).status).toBe(401);
		const asked = { lock: job.lock, files: [{ path: "web.mp4", size: 3 }] };
		await call("200", "presignJobOutputs", { ...at, json: asked });
		await call("403 not_lock_holder", "presignJobOutputs", { ...at, json: { ...asked, lock: unknown } });
		await call("400 invalid_zip_entry", "presignJobOutputs", {
			...at,
			json: { ...asked, files: [{ path: "../up", size: 3 }] },
		});
		await call("409 outputs_incomplete", "completeJob", { ...at, json: completion(job.lock, ["web.mp4"]) });
		const files = { "hls/master.m3u8": playlistOf(1), "web.mp4": "mp4", "og.jpg": "jpg" };
		const put = {
			method: "PUT",
			path: `/internal/v1/jobs/${done}/outputs?lock=${job.lock}`,
			headers: { ...headers, "content-type": "application/zip" },
			body: await zipOf(files),
		};
		expect((await service.send(put)).status).toBe(204);
		const rendition = { name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1000 };
		const report = { ...completion(job.lock, Object.keys(files)), report: { skipped: ["h264_1080"] } };
		await call("200", "completeJob", {
			...at,
			json: { ...report, outputs: { ...report.outputs, renditions: [rendition] } },
		});
		await call("200", "getVideo", { id: done, headers: auth });
		const failing = await uploaded(auth);
		const { lock } = await call<Job>("200", "claimJobById", { headers, id: failing, json: { worker: "w" } });
		await call("200", "failJob", {
			headers,
			id: failing,
			json: { lock, reason: "invalid_media", retryable: false, message: "no" },
		});
		await call("409 invalid_video_state", "failJob", {
			headers,
			id: failing,
			json: { lock, reason: "invalid_media", retryable: false },
		});
		await call("200", "listVideos", { headers: auth, query: "?limit=1" });
		await call("200", "listVideos", { headers: auth });
	});

	it("describes the admin plane", async () => {
		const { domain } = await call<{ domain: Domain }>("201", "createDomain", {
			headers: admin,
			json: { slug: "described", limits: { max_concurrent_processing: 1 } },
		});
		await call("409 slug_already_exists", "createDomain", { headers: admin, json: { slug: "described" } });
		await call("200", "listDomains", { headers: admin, query: "?limit=1" });
		const at = { id: domain.id, headers: admin };
		await call("200", "getAdminDomain", at);
		await call("200", "updateDomain", { ...at, json: { slug: "described-anew" } });
		await call("200", "rotateDomainKeyAsAdmin", at);
		await call("200", "requestTranscripts", at);
		await call("204", "deleteDomain", at);
		// The first of more domains than a page of the list has.
		const [sandbox] = await service.database.query<{ id: string }>({
			text: "select id from reelmill.domains where slug = 'sandbox'",
			values: [],
		});
		await call("409 sandbox_domain_protected", "deleteDomain", { headers: admin, id: sandbox?.id ?? "" });
		const { service_account } = await call<CreatedServiceAccount>("201", "createServiceAccount", {
			headers: admin,
			json: { name: "another" },
		});
		await call("409 name_already_exists", "createServiceAccount", { headers: admin, json: { name: "another" } });
		await call("200", "rotateServiceAccount", { headers: admin, id: service_account.id });
		await call("204", "revokeServiceAccount", { headers: admin, id: service_account.id });
		await call("422 service_account_revoked", "rotateServiceAccount", { headers: admin, id: service_account.id });
		await call("200", "listServiceAccounts", { headers: admin });
		await call("200", "listAdminStorageLocations", { headers: admin });
		await call("200", "getStats", { headers: admin });
		await call("200", "listAudit", { headers: admin, query: `?limit=1&domain_id=${domain.id}&actor=engine` });
		await call("200", "getQueue", { headers: admin });
		await call("200", "listJobs", { headers: admin });
		await call("200", "listWorkers", { headers: admin });
		await call("200", "listFailures", { headers: admin });
		await call("200", "listFailedVideos", { headers: admin });
		const { auth } = await service.tenant();
		const failed = await uploaded(auth);
		const { lock } = await service.engine.jobs.claimById({ accountId: failed, name: "worker" }, failed, {
			worker: "w",
		});
		await service.engine.jobs.fail(failed, { lock, reason: "storage_error", retryable: false });
		await call("200", "reprocessVideo", { headers: admin, id: failed });
		await call("409 invalid_state", "reprocessVideo", { headers: admin, id: failed });
		await call("200", "getSystem", { headers: admin });
		await call("200", "checkStorage", { headers: admin, json: { repair: true } });
		await call("400 invalid_cursor", "checkStorage", { headers: admin, json: { cursor: "x" } });
	});

	it("describes the console: signing in, by each way, and its accounts", async () => {
		await call("200", "getConsoleSignIn");
		const headers = { "x-service-console": "1" };
		await call("403 csrf_check_failed", "createConsoleSession", { json: { secret: "x" } });
		await call("401 invalid_secret", "createConsoleSession", { headers, json: { secret: "x" } });
		await call("401 invalid_secret", "createConsoleSession", { headers, json: { link: "x" } });
		await call("200", "createConsoleSession", { headers, json: { secret: consoleSecret } });
		const link = (await service.engine.console.mintSignInLink())?.url.split("#")[1];
		await call("200", "createConsoleSession", { headers, json: { link } });
		const begun = await described.answer("startOauth", { path: "/console/v1/oauth/start" });
		const { searchParams } = new URL(begun.headers.location ?? "");
		const { provider } = described;
		provider.nonce = searchParams.get("nonce") ?? "";
		const back = {
			path: `/console/v1/oauth/callback?code=c&state=${searchParams.get("state")}`,
			headers: { cookie: (begun.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "" },
		};
		expect((await described.answer("completeOauth", back)).status).toBe(302);
		expect((await described.answer("completeOauth", back)).json).toMatchObject({ error: "oauth_failed" });
		const { headers: session, accountId } = await signIn(service, { role: "member" });
		await call("200", "getConsoleSession", { headers: session });
		await call("404 not_found", "listConsoleAccounts", { headers: session });
		await call("204", "deleteConsoleSession", { headers: session });
		await call("401 unauthorized", "getConsoleSession", { headers: session });
		await call("200", "listConsoleAccounts", { headers: admin });
		const at = { id: accountId, headers: admin };
		const { domain } = await service.tenant();
		await call("200", "updateConsoleAccount", { ...at, json: { domain_ids: [domain.id] } });
		await call("404 domain_not_found", "updateConsoleAccount", { ...at, json: { domain_ids: [unknown] } });
		await call("409 invalid_state", "updateConsoleAccount", { ...at, json: { role: "admin" } });
		await call("200", "disableConsoleAccount", at);
		await call("404 not_found", "disableConsoleAccount", { ...at, id: unknown });
		await call("200", "enableConsoleAccount", at);
	});

	it("describes a request too many", async () => {
		const { auth } = await service.tenant();
		const limited = servedJson.filter((operation) => listedAnswers(operation).has("429 rate_limited"));
		expect(limited.length).toBeGreaterThan(20);
		described.setFull(true);
		try {
			for (const operation of limited) {
				const sent = minimalRequest(operation, unknown);
				const answer = await described.answer(operation.name, {
					...sent,
					headers: { ...sent.headers, ...auth, "x-service-console": "1" },
				});
				expect([operation.name, nameOf(answer), answer.headers["retry-after"]]).toEqual([
					operation.name,
					"429 rate_limited",
					"2",
				]);
			}
		} finally {
			described.setFull(false);
		}
	});

	it("was held against a success and a refusal of every JSON operation", () => {
		const answersOf = (name: (typeof servedJson)[number]["name"]) => [...(described.given.get(name) ?? [])];
		const without = (wanted: (answer: string) => boolean) =>
			servedJson.filter(({ name }) => !answersOf(name).some(wanted)).map(({ name }) => name);
		expect(without((answer) => /^[23]/.test(answer))).toEqual([]);
		expect(without((answer) => answer.startsWith("4"))).toEqual([]);
	});
});
