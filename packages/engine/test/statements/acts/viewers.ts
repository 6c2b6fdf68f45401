import { randomUUID } from "node:crypto";
import type { EdgeFeed, StorageProfile } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { clip, finishJob } from "../../support/open-engine.ts";
import { secret, type World } from "../world.ts";
import { finish } from "./jobs.ts";
import { send } from "./uploads.ts";

/** A video that is available, made without faults. */
async function available({ sound, opened, uploaded }: World, input = {}): Promise<string> {
	const id = await uploaded(input);
	await finishJob(opened, await sound.jobs.claimById(opened.worker, id, { worker: "w" }));
	return id;
}

const bucket: StorageProfile = {
	backend: "s3_tenant",
	endpoint: "https://s3.example",
	bucket: "one",
	key_prefix: "videos",
	access_key_id: "AKIDTENANT",
	secret_access_key: secret,
	public_base_url: "https://cdn.example",
};

export const viewers = {
	"webhooks, their replays and those who listen": async (world: World) => {
		const { one, two, sound, again, unlessDone, principal, opened, pass, uploaded } = world;
		const listener = randomUUID();
		await again(() => one.webhooks.listen(principal, listener, { received: [], ends: false }));
		await again(() => two.webhooks.trigger(principal, "video.ready"));
		const failing = await available(world);
		opened.receiver.answer = () => ({ status: 500, error: "status_500" });
		try {
			while ((await sound.webhooks.listDeliveries(principal, { limit: 1, status: "failed" })).data.length === 0)
				await pass(24_000);
		} finally {
			opened.receiver.answer = () => ({ status: 200, error: null });
		}
		const ask = { since: new Date(0).toISOString(), status: "failed" } as const;
		await again(() => two.webhooks.replayFailed(principal, { ...ask, dry_run: true }));
		await again(() => one.webhooks.replayFailed(principal, { ...ask, dry_run: false }));
		await pass(1);
		const { data } = await again(() => two.webhooks.listDeliveries(principal, { limit: 10, video_id: failing }));
		const [delivery] = data;
		if (!delivery) throw new Error("The event is not in the outbox.");
		const look = async () => (await again(() => two.webhooks.getDelivery(principal, delivery.id))).status === "pending";
		await unlessDone(() => one.webhooks.replay(principal, delivery.id), look);
		await pass(1);
		const tests = async () =>
			(await again(() => two.webhooks.listDeliveries(principal, { limit: 10, type: "webhook.test" }))).data.length > 0;
		await unlessDone(() => one.webhooks.sendTest(principal), tests);
		await again(() => two.webhooks.listen(principal, listener, { received: [delivery.id], ends: true }));
		const cancelled = await uploaded();
		await again(() => two.videos.cancel(principal, cancelled), ["invalid_state"]);
	},
	"viewers with keys, which are revoked": async (world: World) => {
		const { one, two, again, principal, clock } = world;
		const id = await available(world);
		const mint = () => again(() => one.playback.createKey(principal, { viewer_ref: "v", ttl_seconds: 3600 }));
		const open = async (key: string | null) =>
			again(() =>
				two.serving.open({ videoId: id, path: "web.mp4", authorization: key && `Bearer ${key}` }).then(
					() => "opened",
					(error: { code?: string }) => {
						if (error.code?.startsWith("playback_key")) return "refused";
						throw error;
					},
				),
			);
		const { playback_key: key } = await mint();
		const answers = [await open(key)];
		await again(() => one.playback.revoke(principal, { viewer_ref: "v" }));
		clock.leap(5000);
		answers.push(await open(key));
		const { playback_key: later } = await mint();
		answers.push(await open(later));
		await again(() => two.playback.revokeAll(principal));
		clock.leap(5000);
		answers.push(await open(later));
		await again(() => one.videos.setVisibility(principal, id, "public"));
		clock.leap(10_000);
		answers.push(await open(null));
		await again(() => two.videos.setVisibility(principal, id, "private"));
		clock.leap(10_000);
		answers.push(await open(null));
		await again(() => two.videos.delete(principal, id), ["video_not_found"]);
		if (answers.join() !== "opened,refused,opened,refused,opened,refused") throw new Error(answers.join());
	},
	"edges that follow what viewers may see": async (world: World) => {
		const { one, two, again, principal, domainId, opened, clock } = world;
		const id = await available(world);
		const read = async (server: Engine) => {
			clock.leap(1001);
			return JSON.parse((await again(() => server.playback.edgeFeed(domainId))).body) as EdgeFeed;
		};
		await read(one);
		// What began before the domain was followed, is over.
		clock.leap(61_000);
		const before = await read(two);
		await again(() => one.videos.setVisibility(principal, id, "public"));
		await again(() => two.playback.revoke(principal, { viewer_ref: "v" }));
		const changed = await read(two);
		const counts = [before, changed].map(({ videos, viewers }) =>
			[videos, viewers].map((of) => Object.keys(of).length),
		);
		if (counts.join(" ") !== "0,0 1,1") throw new Error(`The edges hear of ${counts.join(" ")}.`);
		// More changes than are listed.
		await opened.database.query({
			text: "insert into reelmill.edge_changes (domain_id, video_id, changed_at) select $1, gen_random_uuid(), $2 from generate_series(1, 2000)",
			values: [domainId, new Date(clock.now())],
		});
		const dropped = await read(one);
		if (Object.keys(dropped.videos).length !== 1000 || dropped.generation === changed.generation)
			throw new Error("The edges don't hear that changes were dropped.");
		clock.leap(11 * 60_000);
		await read(two);
	},
	"an outro, and a video that ends with it": async (world: World) => {
		const { one, two, again, principal, claimed } = world;
		for (const idempotencyKey of ["first", "second"]) {
			const { outro, upload } = await again(() =>
				one.outros.create(principal, { ...clip, slug: "bye" }, undefined, { idempotencyKey }),
			);
			const token = await two.uploads.authenticate(`Bearer ${upload.token}`);
			await again(() => two.uploads.create(token, { videoId: outro.id, length: 10 }));
			await send(world, two, token);
			await finish(world, two, await claimed(two), ["mezzanine.mp4"]);
		}
		await again(() => one.outros.list(principal));
		await again(() => one.outros.get(principal, "bye"));
		await again(() => two.outros.preview(principal, "bye"));
		await world.uploaded({ outro_slug: "bye" });
		const job = await claimed(one);
		await again(() => one.jobs.outro(job.id));
		await finish(world, one, job);
		await again(() => two.outros.delete(principal, "bye"), ["outro_not_found"]);
	},
	"public videos in a tenant's bucket": async (world: World) => {
		const { one, two, again, principal, domainId, claimed, pass } = world;
		await again(() => one.storage.verify(domainId, bucket));
		await again(() => one.storage.put(domainId, bucket));
		await again(() => one.storage.get(domainId));
		await again(() => one.storage.places(domainId));
		const id = await world.uploaded({ visibility: "public" });
		await finish(world, two, await claimed(two));
		await again(() => one.metrics.installation());
		await pass(1);
		await again(() => one.videos.setVisibility(principal, id, "private"));
		await pass(1);
		await again(() => two.videos.setVisibility(principal, id, "public"));
		await pass(1);
		const { video, upload } = await again(() => one.videos.create(principal, clip, { idempotencyKey: "expires" }));
		const token = await one.uploads.authenticate(`Bearer ${upload.token}`);
		await again(() => one.uploads.create(token, { videoId: video.id, length: 10 }));
		await pass(3601);
		await again(() => two.storage.delete(domainId));
		await again(() => two.videos.delete(principal, id), ["video_not_found"]);
		await pass(86_400);
	},
	"a sandbox session and what it made": async (world: World) => {
		const { one, two, again, claimed, pass } = world;
		const { api_key } = await again(() => one.sandbox.createSession());
		const session = await again(() => two.keys.authenticate(`Bearer ${api_key}`));
		const { video, upload } = await again(() => two.videos.create(session, clip, { idempotencyKey: "one" }));
		const token = await two.uploads.authenticate(`Bearer ${upload.token}`);
		await again(() => two.uploads.create(token, { videoId: video.id, length: 10 }));
		await send(world, two, token);
		await finish(world, one, await claimed(one));
		const { state } = await again(() => one.videos.get(session, video.id));
		if (state !== "available") throw new Error(`The session's video is ${state}.`);
		await again(() => two.videos.list(session, { limit: 10 }));
		await again(() => two.usage.get(session));
		await pass(90_000);
	},
};
