import { randomUUID } from "node:crypto";
import type { Engine, UploadPrincipal } from "@reelmill/engine";
import { bytesOf, clip, clipBytes } from "../../support/open-engine.ts";
import type { World } from "../world.ts";

/** The tus client's part: asks for the offset, and sends what is missing up to `end`. */
export async function send(world: World, server: Engine, token: UploadPrincipal, end = 10): Promise<void> {
	const { videoId: id } = token;
	await world.again(async () => {
		const { offset } = await world.writing(server, id, () => server.uploads.status(token, id));
		if (offset < end)
			await world.writing(server, id, () =>
				server.uploads.append(token, id, offset, bytesOf(clipBytes.slice(offset, end))),
			);
	}, ["upload_not_pending", "bad_request"]);
}

async function initiated({ again, writing, one, principal }: World, input = {}) {
	const idempotencyKey = randomUUID();
	const { video, upload } = await again(() => one.videos.create(principal, { ...clip, ...input }, { idempotencyKey }));
	const token = await one.uploads.authenticate(`Bearer ${upload.token}`);
	await again(() => writing(one, video.id, () => one.uploads.create(token, { videoId: video.id, length: 10 })));
	return { id: video.id, token, idempotencyKey, input: { ...clip, ...input } };
}

/** Other uploads run on both servers all the while: their rows are alive. */
async function busy({ one, two, again }: World, work: () => Promise<void>): Promise<void> {
	const { signal } = new AbortController();
	const held = await Promise.all(
		[one, two].map((server) => again(() => server.uploads.lease(randomUUID(), { onAsked: () => undefined, signal }))),
	);
	try {
		await work();
	} finally {
		await Promise.all(held.map((lease) => lease.release()));
	}
}

export const uploads = {
	"an upload, sent in turns by two servers": (world: World) =>
		busy(world, async () => {
			const { again, one, two, principal, writing, clock } = world;
			const { id, token, idempotencyKey, input } = await initiated(world, { uploader_ref: "anna" });
			const { video } = await again(() => two.videos.create(principal, input, { idempotencyKey }));
			if (video.id !== id) throw new Error("One key made two videos.");
			// Both servers renew their leases now, too late, and look whether they still have them.
			clock.leap(3000);
			await send(world, one, token, 4);
			// The next request comes while the one before still holds the upload, on another server.
			const asked = Promise.withResolvers<void>();
			const signal = AbortSignal.timeout(3200);
			const lease = await again(() => one.uploads.lease(id, { onAsked: asked.resolve, signal }));
			const next = again(() => writing(two, id, () => two.uploads.status(token, id)));
			await Promise.race([asked.promise, next]);
			await lease.release();
			await next;
			await send(world, two, token, 7);
			// Its client leaves while the lease is being taken.
			const leaving = new AbortController();
			const left = one.uploads.lease(id, { onAsked: () => undefined, signal: leaving.signal });
			leaving.abort();
			await left.catch(() => undefined);
			await send(world, one, token);
			await again(() => one.videos.get(principal, id));
			await again(() => one.videos.cancel(principal, id), ["invalid_state"]);
		}),
	"uploads that end before they are whole": (world: World) =>
		busy(world, async () => {
			const { again, one, two, principal, writing, pass } = world;
			const [cancelled, terminated, expired, deleted] = [
				await initiated(world),
				await initiated(world),
				await initiated(world),
				await initiated(world),
			];
			await send(world, two, terminated.token, 5);
			await again(() => one.videos.cancel(principal, cancelled.id), ["invalid_state"]);
			await again(
				() => writing(two, terminated.id, () => two.uploads.terminate(terminated.token, terminated.id)),
				["upload_not_pending"],
			);
			await again(() => one.videos.delete(principal, deleted.id), ["video_not_found"]);
			await again(() => writing(two, deleted.id, () => two.uploads.status(deleted.token, deleted.id)).catch(refused));
			await initiated(world, { uploader_ref: "somebody" });
			await again(() => two.erasures.create(principal, { uploader_ref: "somebody" }));
			await pass(3601);
			await again(() => writing(one, expired.id, () => one.uploads.status(expired.token, expired.id)).catch(refused));
		}),
};

/** The refusal that a client expects. */
function refused(error: unknown): void {
	if ((error as { code?: string }).code !== "upload_not_pending") throw error;
}
