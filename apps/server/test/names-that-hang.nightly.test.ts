import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, systemClock, type TenantPrincipal } from "@reelmill/engine";
import { createResolver, createWebhookTransport } from "@reelmill/outbound";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../../../packages/engine/test/support/open-engine.ts";
import { dnsServer } from "../../../packages/outbound/test/support/dns-server.ts";

const arrived = new Map<string, number>();
const receiver = createServer((request, response) => {
	arrived.set(request.headers.host?.split(".")[0] ?? "", performance.now());
	request.resume();
	response.end();
});
let opened: OpenedEngine;
let dns: Awaited<ReturnType<typeof dnsServer>>;
beforeAll(async () => {
	await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
	dns = await dnsServer((name) => (name.endsWith(".hangs.example") ? { silent: true } : { addresses: ["127.0.0.1"] }));
	opened = await openEngine({ clock: systemClock });
});
afterAll(async () => {
	await opened.close();
	await dns[Symbol.asyncDispose]();
	receiver.close();
});

const port = () => (receiver.address() as AddressInfo).port;

/** A tenant who listens under this name. */
async function listening(host: string) {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: `http://${host}:${port()}/`,
		webhook_secret: "whsec_test_secret",
	});
	return tenant;
}

async function happen(engine: Engine, principal: TenantPrincipal): Promise<void> {
	const { video } = await engine.videos.create(principal, clip);
	await engine.videos.cancel(principal, video.id);
}

/** Tenants like this one, each at a name of its own that hangs, with so many events that are due. */
async function hang(
	tenants: number,
	events: number,
	{ domain, principal }: Awaited<ReturnType<typeof listening>>,
): Promise<void> {
	await happen(opened.engine, principal);
	await opened.database.query({
		text: `with made as (
				insert into reelmill.domains select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'slug', 'hanging-' || n,
					'config', d.config || jsonb_build_object('webhook_url', 'http://tenant-' || n || '.hangs.example/')))).*
				from reelmill.domains d, generate_series(1, $2::integer) n where d.id = $1 returning id)
			insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
			select gen_random_uuid(), made.id, w.video_id, w.type, w.body, w.url, 'pending', 6, now() - interval '1 hour', now()
			from made, (select * from reelmill.webhook_deliveries where domain_id = $1 limit 1) w, generate_series(1, $3::integer)`,
		values: [domain.id, tenants, events],
	});
}

it("names that hang in DNS, of a hundred tenants with many events each, delay nobody else's webhooks", async () => {
	const nowhere = join(tmpdir(), "reelmill-no-such-file");
	const lookup = createResolver({ servers: dns.servers, hostsFile: nowhere, settingsFile: nowhere });
	const engine = createEngine({
		...opened.options,
		webhookTransport: createWebhookTransport({ allow: ["127.0.0.0/8"], lookup }),
	});
	await hang(100, 40, await listening("first.hangs.example"));
	const others = await Promise.all(
		Array.from({ length: 10 }, (_, index) => listening(`other-${index}.answers.example`)),
	);
	await engine.start();
	try {
		// By then attempts for every one of them have begun to hang.
		await expect.poll(() => new Set(dns.asked.filter((name) => name.includes("hangs"))).size).toBe(101);
		const waited: number[] = [];
		for (const [index, other] of others.entries()) {
			const happenedAt = performance.now();
			await happen(engine, other.principal);
			await expect.poll(() => arrived.has(`other-${index}`), { interval: 20 }).toBe(true);
			waited.push((arrived.get(`other-${index}`) ?? 0) - happenedAt);
		}
		waited.sort((a, b) => a - b);
		console.info(
			`beside a hundred names that hang, a webhook arrived after ${Math.round(waited[5] ?? 0)} ms (median), ${Math.round(waited.at(-1) ?? 0)} ms (worst)`,
		);
		// Attempts in turn would take minutes.
		expect(waited[5]).toBeLessThan(10_000);
		expect(waited.at(-1)).toBeLessThan(30_000);
	} finally {
		await engine.stop();
	}
});
