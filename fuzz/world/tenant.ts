import type { Caller } from "./caller.ts";
import { deliveredPaths } from "./files.ts";
import type { Registry } from "./registry.ts";

export type Making = {
	readonly caller: Caller;
	readonly registry: Registry;
	readonly adminKey: string;
	readonly service: string;
	readonly fixtures: ReadonlyMap<string, Buffer>;
};
type Ticket = { readonly id: string; readonly token: string };
const content = Buffer.from("0123456789");
const unlimited = { daily_upload_bytes: 2 ** 50, storage_bytes_limit: 2 ** 50, max_concurrent_processing: 1000 };

/**
 * Makes tenant `index` with something in every state, and with texts that nobody else may ever see. Returns its name as
 * an owner.
 */
export async function makeTenant(index: number, making: Making): Promise<string> {
	const { caller, registry, adminKey } = making;
	const owner = `t${index}`;
	const made = await caller.call<{ domain: { id: string }; api_key: string }>("POST", "/admin/v1/domains", adminKey, {
		slug: `fuzz-${index}`,
		limits: unlimited,
	});
	const key = made.api_key;
	registry.ids.set(made.domain.id, owner);
	registry.credentials.set(key, { plane: "tenant", owner, isSound: "yes" });
	registry.secrets.add(key).add(`whsec_canary-${owner}-secret`);
	registry.add(owner, "domain", made.domain.id);
	registry.add(owner, "key", key);
	await caller.call("PATCH", "/v1/domain/config", key, {
		renditions: ["h264_720"],
		outputs: { hls: true, dash: true, mp4_fallback: true, og_thumbnail: true },
		moderation_frames: true,
		max_concurrent_pending_per_uploader: 10,
		cors_origins: index % 3 === 0 ? ["https://a.example"] : [],
		webhook_url: `https://hooks.fuzz.invalid/canary-${owner}-hook`,
		webhook_secret: `whsec_canary-${owner}-secret`,
	});
	const initiate = (visibility: "private" | "public", number: number) =>
		ticketOf(making, owner, key, "/v1/videos", {
			visibility,
			external_ref: `canary-${owner}-external`,
			uploader_ref: `canary-${owner}-uploader-${number}`,
		});
	for (const visibility of ["public", "private"] as const) {
		const done = await initiate(visibility, 0);
		await work(making, done, "whole.zip", deliveredPaths);
		registry.add(owner, visibility, done.id);
		if (visibility === "private") registry.privates.add(done.id);
	}
	for (const number of [1, 2]) {
		const pending = await initiate("private", number);
		registry.add(owner, "video", pending.id);
		registry.add(owner, "upload.video", pending.id);
		registry.add(owner, "upload.token", pending.token);
		await create(making, pending, null);
		const fresh = await initiate("private", number);
		registry.add(owner, "new.video", fresh.id);
		registry.add(owner, "new.token", fresh.token);
		const job = await initiate("private", number);
		registry.add(owner, "job", job.id);
		registry.add(owner, "lock", await claim(making, job, owner));
	}
	const cancelled = await initiate("private", 0);
	await caller.call("POST", `/v1/videos/${cancelled.id}/cancel`, key);
	registry.add(owner, "video", cancelled.id);
	const outro = await ticketOf(making, owner, key, "/v1/outros", {
		slug: `outro-${index}`,
		label: `canary-${owner}-label`,
	});
	await work(making, outro, "mezzanine.zip", ["mezzanine.mp4"]);
	registry.add(owner, "outro", `outro-${index}`);
	await makeKeys(making, owner, key);
	return owner;
}

/**
 * Makes a finished chunk of a job that goes on, for requests to `parts`. Call it while no job waits: chunks are given
 * to nobody before that.
 */
export async function makeChunk(making: Making): Promise<void> {
	const { caller, registry, adminKey, service, fixtures } = making;
	const { api_key } = await caller.call<{ api_key: string }>("POST", "/admin/v1/domains", adminKey, {
		slug: "fuzz-chunks",
		limits: unlimited,
	});
	const video = await ticketOf(making, "chunks", api_key, "/v1/videos", {});
	const lock = await claim(making, video, "chunks");
	const offered = { lock, chunks: [{ first_frame: 0, end_frame: 60, digest: "a".repeat(64), speed: "balanced" }] };
	await caller.call("POST", `/internal/v1/jobs/${video.id}/chunks`, service, offered);
	const chunk = await caller.call<{ id: string; lock: string }>("POST", "/internal/v1/jobs/claim", service, {
		worker: "world",
		takes_chunks: true,
	});
	await deliver(caller, service, chunk, fixtures.get("whole.zip"), [
		{ path: "web.mp4", size: 10, sha256: "a".repeat(64) },
	]);
	for (const id of [chunk.id, chunk.lock]) registry.ids.set(id, "chunks");
	registry.add(null, "part.job", chunk.id);
	registry.add(null, "part.lock", lock);
}

/** Makes playback keys, cursors and entries of the log. */
async function makeKeys({ caller, registry }: Making, owner: string, key: string): Promise<void> {
	const [narrow = ""] = registry.pool(owner, "private") ?? [];
	for (const [name, more] of [
		["playback", {}],
		["playback.narrow", { video_ids: [narrow] }],
	] as const) {
		const { playback_key } = await caller.call<{ playback_key: string }>("POST", "/v1/playback-keys", key, {
			viewer_ref: `canary-${owner}-viewer`,
			ttl_seconds: 86_400,
			...more,
		});
		registry.credentials.set(playback_key, { plane: "playback", owner, isSound: "maybe" });
		registry.add(owner, name, playback_key);
	}
	for (const [operation, path] of [
		["listVideos", "/v1/videos"],
		["listWebhookDeliveries", "/v1/webhook-deliveries"],
	] as const) {
		const { data, next_cursor } = await caller.call<{ data: { id: string }[]; next_cursor: string | null }>(
			"GET",
			`${path}?limit=1`,
			key,
		);
		if (next_cursor !== null) registry.add(owner, `cursor.${operation}`, next_cursor);
		for (const { id } of operation === "listWebhookDeliveries" ? data : []) {
			registry.ids.set(id, owner);
			registry.add(owner, "delivery", id);
		}
	}
}

async function ticketOf(
	{ caller, registry }: Making,
	owner: string,
	key: string,
	path: string,
	more: object,
): Promise<Ticket> {
	type Made = { upload: { token: string; metadata: { video_id: string } } };
	const { upload } = await caller.call<Made>("POST", path, key, {
		content_type: "video/mp4",
		file_size: content.length,
		...more,
	});
	const id = upload.metadata.video_id;
	registry.ids.set(id, owner);
	registry.credentials.set(upload.token, { plane: "upload", owner, isSound: "maybe" });
	return { id, token: upload.token };
}

/** Uploads as a device does; claims, sends outputs and completes as a worker does. */
async function work(making: Making, ticket: Ticket, fixture: string, files: readonly string[]): Promise<void> {
	const { caller, service, fixtures } = making;
	await deliver(caller, service, { id: ticket.id, lock: await claim(making, ticket) }, fixtures.get(fixture), files);
}

async function deliver(
	caller: Caller,
	service: string,
	{ id, lock }: { id: string; lock: string },
	archive: Buffer | undefined,
	files: readonly unknown[],
): Promise<void> {
	const path = `/internal/v1/jobs/${id}`;
	await caller.call("PUT", `${path}/outputs?lock=${lock}`, service, archive, {
		headers: { "content-type": "application/zip" },
	});
	const media = { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled", language: null };
	await caller.call("POST", `${path}/complete`, service, { lock, outputs: { files, renditions: [] }, media });
}

/** Makes the tus upload, with all of its bytes or none. */
async function create({ caller }: Making, { id, token }: Ticket, bytes: Buffer | null): Promise<void> {
	const headers = {
		"tus-resumable": "1.0.0",
		"upload-length": String(content.length),
		"upload-metadata": `video_id ${Buffer.from(id).toString("base64")}`,
	};
	const type = "application/offset+octet-stream";
	await caller.call("POST", "/uploads", token, bytes ?? undefined, {
		headers: bytes === null ? headers : { ...headers, "content-type": type },
	});
}

async function claim(making: Making, ticket: Ticket, owner?: string): Promise<string> {
	const { caller, service, registry } = making;
	await create(making, ticket, content);
	const { lock } = await caller.call<{ lock: string }>(
		"POST",
		`/internal/v1/jobs/${ticket.id}/claim`,
		service,
		{ worker: "world" },
		{ again: [409] },
	);
	if (owner !== undefined) registry.ids.set(lock, owner);
	return lock;
}
