import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../../history/history.ts";
import { ask } from "../../processes/ask.ts";
import type { World } from "../world.ts";

const patienceMilliseconds = 240_000;
const unsettled = {
	videos: `select count(*) as n from reelmill.videos
		where state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding') and deleted_at is null`,
	posters: "select count(*) as n from reelmill.posters",
	imports: "select count(*) as n from reelmill.imports where ended_at is null",
	webhooks: "select count(*) as n from reelmill.webhook_deliveries where status = 'pending'",
	deletions:
		"select count(*) as n from reelmill.deletions where not_before is null or not_before <= now() or kind = 'probes'",
};

/**
 * Ends all faults and waits until every upload is done, every video is at its end and every webhook is sent. A webhook
 * without attempts left is replayed, as a tenant would do. Then it reads every file that is served, and every edit and
 * clip, once. The invariants find what doesn't come to rest.
 */
export async function settle(world: World, history: History): Promise<void> {
	const { postgres, uploaders, receiver, nameServer, viewer, editor, origin, servers, tenants, probes, storage } =
		world;
	const everyTenant = [...tenants, ...probes.disk, ...probes.bucket];
	for (const { clients, workers, database } of servers) {
		for (const relay of [clients, workers]) {
			relay.requests.clear();
			relay.connections.resume();
		}
		database.resume();
	}
	storage.proxy.clear();
	receiver.behave();
	nameServer.behave("answer");
	origin.behave();
	const deadline = Date.now() + patienceMilliseconds;
	await Promise.race([uploaders.finish(), sleep(patienceMilliseconds, undefined, { ref: false })]);
	const count = async (text: string): Promise<number> =>
		Number((await postgres.database.query<{ n: number }>({ text, values: [] }))[0]?.n);
	const untilAtRest = async (): Promise<void> => {
		while (Date.now() < deadline) {
			await replayFailed();
			const left = await Promise.all(Object.values(unsettled).map(count));
			if (left.every((n) => n === 0)) break;
			await sleep(500);
		}
	};
	await untilAtRest();
	await Promise.all([viewer.close(), editor.close()]);
	// What was asked for at the end.
	await untilAtRest();
	const available = await postgres.database.query<{ id: string }>({
		text: "select id from reelmill.videos where state = 'available' and deleted_at is null",
		values: [],
	});
	for (const { id } of available) for (const path of viewer.paths) await viewer.read(id, path);
	await editor.readAll();

	async function replayFailed(): Promise<void> {
		const failed = await postgres.database.query<{ id: string; domain: string }>({
			text: "select id, domain_id as domain from reelmill.webhook_deliveries where status = 'failed'",
			values: [],
		});
		for (const { id, domain } of failed) {
			const key = everyTenant.find((tenant) => tenant.domain === domain)?.apiKey;
			const url = `${servers[0]?.url}/v1/webhook-deliveries/${id}/replay`;
			await ask({ url, method: "POST", headers: { authorization: `Bearer ${key}` } }).catch((error: unknown) => {
				history.add({ kind: "noted", text: `a replay failed: ${error}` });
			});
		}
	}
}
