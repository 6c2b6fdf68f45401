import { type VideoState, videoStates, WebhookEvent } from "@reelmill/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	bytesOf,
	clip,
	deliver,
	finishJob,
	type OpenedEngine,
	openEngine,
	uploadVideo,
} from "../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant(undefined, { max_concurrent_processing: 1 });
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example",
		webhook_secret: "whsec_x",
	});
});
afterEach(async () => {
	// Whatever ended, and however: the event has what its type promises.
	const told = await opened.database.query<{ body: Uint8Array }>({
		text: "select body from reelmill.webhook_deliveries",
		values: [],
	});
	for (const { body } of told) WebhookEvent.parse(JSON.parse(Buffer.from(body).toString()));
	await opened.close();
});

const hour = 3_600_000;
type Held = { readonly id: string; readonly lock: string | null };
const uploaded = async (): Promise<string> =>
	(await uploadVideo(opened, tenant.principal, { uploader_ref: "anna" })).video.id;
async function locked() {
	const id = await uploaded();
	return opened.engine.jobs.claimById(opened.worker, id, { worker: "w" });
}

/** A video in each state, its domain's only slot taken by none but itself; of one that was worked on the lock too. */
const into: { readonly [S in VideoState]: () => Promise<Held> } = {
	async pending_upload() {
		const { video, upload } = await opened.engine.videos.create(tenant.principal, { ...clip, uploader_ref: "anna" });
		const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
		await opened.engine.uploads.create(token, { videoId: video.id, length: 10 });
		await opened.engine.uploads.append(token, video.id, 0, bytesOf("0123"));
		return { id: video.id, lock: null };
	},
	async uploaded() {
		const first = await uploaded();
		const id = await uploaded();
		await opened.database.query({
			text: "update reelmill.domains set max_concurrent_processing = 0 where id = $1",
			values: [tenant.domain.id],
		});
		await opened.engine.videos.cancel(tenant.principal, first);
		return { id, lock: null };
	},
	queued: async () => ({ id: await uploaded(), lock: null }),
	async locked() {
		const job = await locked();
		await deliver(opened, job);
		return job;
	},
	async encoding() {
		const job = await into.locked();
		await opened.engine.jobs.heartbeat(job.id, { lock: job.lock ?? "", progress: 10 });
		return job;
	},
	async available() {
		const job = await locked();
		await finishJob(opened, job);
		return job;
	},
	async failed() {
		const job = await locked();
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "invalid_media", retryable: false });
		return job;
	},
	async timeout() {
		const id = await uploaded();
		await opened.clock.advance(24 * hour);
		await opened.engine.sweep();
		return { id, lock: null };
	},
	async expired() {
		const { id } = await into.pending_upload();
		await opened.clock.advance(hour);
		await opened.engine.sweep();
		return { id, lock: null };
	},
	async cancelled() {
		const { id } = await into.pending_upload();
		await opened.engine.videos.cancel(tenant.principal, id);
		return { id, lock: null };
	},
};

const isOver: readonly VideoState[] = ["available", "failed", "timeout", "expired", "cancelled"];
const told: { readonly [S in VideoState]?: string } = {
	available: "video.ready",
	failed: "video.failed",
	timeout: "video.failed",
	expired: "video.expired",
	cancelled: "video.cancelled",
};

async function world(id: string) {
	const text = `select v.state, v.deleted_at is not null as deleted, d.processing_count as processing, d.reserved_bytes::integer as reserved,
			d.storage_bytes::integer as stored, (select count(*)::integer from reelmill.jobs) as jobs, (select count(*)::integer from reelmill.deletions) as deletions,
			array(select type from reelmill.webhook_deliveries w where w.video_id = v.id order by created_at) as events
		from reelmill.videos v join reelmill.domains d on d.id = v.domain_id where v.id = $1`;
	const [row] = await opened.database.query<{ state: string }>({ text, values: [id] });
	const outputs = await Array.fromAsync(opened.outputs.list(`${tenant.domain.id}/${id}/`));
	return { ...row, upload: await opened.uploads.size(id), outputs: outputs.length };
}
const nothingLeft = { processing: 0, reserved: 0, stored: 0, jobs: 0, deletions: 0, upload: null, outputs: 0 };

async function expectWorkerToStop({ id, lock }: Held, code: string): Promise<void> {
	if (lock === null) return;
	await expect(opened.engine.jobs.heartbeat(id, { lock, progress: 50 })).rejects.toMatchObject({ code });
}

describe.each(videoStates)("a video that is %s", (state) => {
	const ends = isOver.includes(state) ? [] : ["video.cancelled"];
	const before = told[state] === undefined ? [] : [told[state]];

	it(
		isOver.includes(state)
			? "refuses to be cancelled, and stays as it is"
			: "is cancelled: told once, its worker stopped, every byte gone, slot and quota free",
		async () => {
			const held = await into[state]();
			expect((await world(held.id)).state).toBe(state);
			const asItWas = await world(held.id);
			const cancelling = opened.engine.videos.cancel(tenant.principal, held.id);
			if (isOver.includes(state)) {
				await expect(cancelling).rejects.toMatchObject({ code: "invalid_state" });
				expect(await world(held.id)).toEqual(asItWas);
				return;
			}
			expect((await cancelling).state).toBe("cancelled");
			expect(await world(held.id)).toEqual({
				...nothingLeft,
				state: "cancelled",
				deleted: false,
				events: ["video.cancelled"],
			});
			await expectWorkerToStop(held, "invalid_video_state");
			expect((await opened.engine.videos.create(tenant.principal, { ...clip, uploader_ref: "anna" })).video.state).toBe(
				"pending_upload",
			);
		},
	);

	it(
		state === "expired" || state === "cancelled"
			? "refuses to be deleted"
			: "is deleted: gone at once with every byte, its worker stopped",
		async () => {
			const held = await into[state]();
			const deleting = opened.engine.videos.delete(tenant.principal, held.id);
			if (state === "expired" || state === "cancelled") {
				await expect(deleting).rejects.toMatchObject({ code: "video_not_deletable" });
				expect(await world(held.id)).toMatchObject({ state, deleted: false, events: before });
				return;
			}
			await deleting;
			expect(await world(held.id)).toEqual({
				...nothingLeft,
				state: isOver.includes(state) ? state : "cancelled",
				deleted: true,
				events: [...before, ...ends],
			});
			await expectWorkerToStop(held, "video_not_found");
			await expect(opened.engine.videos.get(tenant.principal, held.id)).rejects.toMatchObject({
				code: "video_not_found",
			});
			await expect(opened.engine.videos.delete(tenant.principal, held.id)).rejects.toMatchObject({
				code: "video_not_found",
			});
		},
	);
});

describe.each(["queued", "locked", "encoding"] as const)("the end of a video that is %s", (state) => {
	it.each(["cancel", "delete"] as const)("by %s gives its slot to the video that waited longest", async (end) => {
		const held = await into[state]();
		const waiting: string[] = [];
		for (let index = 0; index < 2; index++) {
			await opened.clock.advance(1000);
			waiting.push(await uploaded());
		}
		await opened.engine.videos[end](tenant.principal, held.id);
		const states = await Promise.all(
			waiting.map(async (id) => (await opened.engine.videos.get(tenant.principal, id)).state),
		);
		expect(states).toEqual(["queued", "uploaded"]);
	});
});
