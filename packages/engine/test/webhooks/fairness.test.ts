import { createEngine, systemClock, type WebhookResult } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine({ clock: systemClock });
});
afterAll(() => opened.close());

async function listening(url: string) {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, { webhook_url: url, webhook_secret: "whsec_test_secret" });
	return tenant;
}

/** Copies of one delivery, due now. */
const pile = (domainId: string, count: number) =>
	opened.database.query({
		text: `insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
			select gen_random_uuid(), domain_id, video_id, type, body, url, 'pending', 6, now() - interval '1 hour', now()
			from (select * from reelmill.webhook_deliveries where domain_id = $1 limit 1) w, generate_series(1, $2::integer)`,
		values: [domainId, count],
	});
const delivered = async (domainId: string): Promise<number> => {
	const [row] = await opened.database.query<{ count: number }>({
		text: "select count(*)::integer as count from reelmill.webhook_deliveries where domain_id = $1 and status = 'delivered'",
		values: [domainId],
	});
	return row?.count ?? 0;
};

describe("an endpoint that never answers", () => {
	it("holds a bounded share of the attempts, and up nobody else, however many wait for it", async () => {
		const dead = await listening("https://dead.example/hook");
		const alive = await listening("https://alive.example/hook");
		const open = Promise.withResolvers<WebhookResult>();
		let held = 0;
		let most = 0;
		const transport = {
			...opened.receiver,
			async send(request: Parameters<typeof opened.receiver.send>[0]) {
				if (!request.url.startsWith("https://dead.")) return opened.receiver.send(request);
				most = Math.max(most, ++held);
				return open.promise.finally(() => held--);
			},
		};
		for (const { principal } of [dead, alive]) {
			const { video } = await opened.engine.videos.create(principal, clip);
			await opened.engine.videos.cancel(principal, video.id);
		}
		await pile(dead.domain.id, 10_000);
		await pile(alive.domain.id, 400);
		const engine = createEngine({ ...opened.options, webhookTransport: transport });
		await engine.start();
		try {
			await expect.poll(() => delivered(alive.domain.id)).toBe(401);
			expect(held).toBeGreaterThan(0);
			expect(most).toBeLessThanOrEqual(32);
		} finally {
			open.resolve({ status: null, error: "timeout" });
			await engine.stop();
		}
		const [left] = await opened.database.query<{ count: number }>({
			text: "select count(*)::integer as count from reelmill.webhook_deliveries where domain_id = $1 and leased_until is not null",
			values: [dead.domain.id],
		});
		expect(left?.count, "no attempt is left without its outcome").toBe(0);
	});
});
