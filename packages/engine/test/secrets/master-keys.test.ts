import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type EngineOptions } from "@reelmill/engine";
import { verifySignature } from "@reelmill/webhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSealer, deriveKeys } from "../../src/secrets/index.ts";
import { beforeStatement } from "../support/before-statement.ts";
import { createLocalBuckets } from "../support/local-buckets.ts";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

const [before, after] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
const day = 86_400_000;
const place = { backend: "s3_tenant", endpoint: "https://s3.example", region: "eu-1", bucket: "one" } as const;
const changed = { masterKey: after, previousMasterKeys: [before] };

let opened: OpenedEngine;
let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-master-key-"));
	const buckets = createLocalBuckets(directory);
	await buckets.make("one", { ID: "key of the bucket" });
	opened = await openEngine({ masterKey: before, buckets });
});
afterEach(async () => {
	await opened.close();
	await rm(directory, { recursive: true });
});

/** A server of the same installation. */
const server = (options: Partial<EngineOptions>): Engine => createEngine({ ...opened.options, ...options });
/** Does what a server's background work does until it has nothing more to do. */
async function run(engine: Engine): Promise<Engine> {
	await engine.sweep();
	return engine;
}
const keysOf = (engine: Engine) => engine.metrics.thisProcess().masterKeys;
const warnings = () => opened.logger.entries.filter(({ level }) => level === "warn").map(({ message }) => message);

/** A domain with every secret that is sealed. */
async function tenantWithSecrets() {
	const tenant = await opened.tenant();
	const { domains, storage } = opened.engine;
	await domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: "whsec_first",
	});
	const { webhook_secret: second } = await domains.rotateWebhookSecret(tenant.domain.id);
	await storage.put(tenant.domain.id, { ...place, access_key_id: "ID", secret_access_key: "key of the bucket" });
	await storage.delete(tenant.domain.id);
	return { ...tenant, webhookSecrets: [second, "whsec_first"] };
}
/** What a server's next webhook is signed with, of these. */
async function signatures(
	engine: Engine,
	{ principal, webhookSecrets }: Awaited<ReturnType<typeof tenantWithSecrets>>,
): Promise<boolean[]> {
	const { video } = await engine.videos.create(principal, clip);
	await engine.videos.cancel(principal, video.id);
	await engine.sweep();
	const request = opened.receiver.requests.at(-1);
	const sent = {
		payload: request?.body ?? "",
		header: request?.headers["service-signature"] ?? "",
		now: opened.clock.now,
	};
	const outcomes = await Promise.allSettled(webhookSecrets.map((secret) => verifySignature({ ...sent, secret })));
	return outcomes.map(({ status }) => status === "fulfilled");
}
/** Every text of the database that opens under the key, by its column. */
async function sealedUnder(masterKey: Uint8Array): Promise<Record<string, string[]>> {
	const { tryToOpen } = createSealer(deriveKeys([masterKey], "seal"), {
		bytes: () => new Uint8Array(),
		uuid: () => "",
		fraction: () => 0,
	});
	const tables = await opened.database.query<{ name: string }>({
		text: "select table_name as name from information_schema.tables where table_schema = 'reelmill'",
		values: [],
	});
	const found: Record<string, string[]> = {};
	for (const { name } of tables) {
		for (const row of await opened.database.query({ text: `select * from reelmill.${name}`, values: [] })) {
			for (const [column, value] of Object.entries(row)) {
				const content = typeof value === "string" ? tryToOpen(value) : null;
				if (content !== null) found[`${name}.${column}`] = [...(found[`${name}.${column}`] ?? []), content.plain];
			}
		}
	}
	return found;
}

describe("after a change of the master key", () => {
	it("tokens of every family and cursors of the previous key are good, on servers that were told of it alone", async () => {
		const { principal } = await opened.tenant();
		const { engine } = opened;
		const { video, upload } = await engine.videos.create(principal, { ...clip, uploader_ref: "second" });
		const worker = await (await engine.accounts.ensure({ name: "worker" })).issueToken();
		const played = await uploadVideo(opened, principal, { visibility: "private", uploader_ref: "first" });
		await engine.sweep();
		const job = await engine.jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 });
		if (job === null) throw new Error("there is no job");
		await finishJob(opened, job);
		const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "viewer", ttl_seconds: 3600 });
		const { next_cursor: cursor } = await engine.videos.list(principal, { limit: 1 });

		const uses = (other: Engine) => ({
			upload: () => other.uploads.authenticate(`Bearer ${upload.token}`),
			service: () => other.accounts.authenticate(`Bearer ${worker.token}`),
			playback: async () =>
				(
					await other.serving.open({
						videoId: played.video.id,
						path: "og.jpg",
						authorization: `Bearer ${playback_key}`,
					})
				).size,
			cursor: async () => (await other.videos.list(principal, { limit: 1, cursor: cursor ?? "" })).data[0]?.id,
		});
		const works = async (other: Engine) => {
			const outcomes = await Promise.allSettled(Object.values(uses(other)).map((use) => use()));
			return outcomes.map(({ status }) => status === "fulfilled");
		};
		expect(await works(server(changed))).toEqual([true, true, true, true]);
		expect(await uses(server(changed)).upload()).toMatchObject({ videoId: video.id });
		expect(await works(server({ masterKey: after }))).toEqual([false, false, false, false]);
		await opened.clock.advance(3600_000);
		expect(await works(server(changed))).toEqual([true, false, false, true]);
	});

	it("what servers with the new key sign is good on servers with the old one, once these were told of it", async () => {
		const next = server(changed);
		const { principal } = await opened.tenant();
		const { upload } = await next.videos.create(principal, clip);
		const told = server({ masterKey: before, previousMasterKeys: [after] });
		await told.uploads.authenticate(`Bearer ${upload.token}`);
		await expect(opened.engine.uploads.authenticate(`Bearer ${upload.token}`)).rejects.toMatchObject({
			code: "unauthorized",
		});
	});

	it("every sealed secret works at once, and is sealed under the new key alone soon after", async () => {
		const tenant = await tenantWithSecrets();
		const all = await sealedUnder(before);
		expect(all).toEqual({
			"domains.webhook_secret": [tenant.webhookSecrets[0]],
			"domains.previous_webhook_secret": [tenant.webhookSecrets[1]],
			"storage_profiles.secret": ["key of the bucket"],
		});
		const next = server(changed);
		await next.storage.verify(tenant.domain.id, place);
		expect(keysOf(next)).toEqual({ secretsUnderPrevious: 0, previousNeeded: true });
		expect(await signatures(next, tenant)).toEqual([true, true]);
		expect([await sealedUnder(after), await sealedUnder(before)]).toEqual([all, {}]);
		const last = server({ masterKey: after });
		await last.storage.verify(tenant.domain.id, place);
		expect(await signatures(last, tenant)).toEqual([true, true]);
	});

	it("a secret that its tenant changes in between stays as the tenant has it", async () => {
		const { domain } = await tenantWithSecrets();
		const interrupted = beforeStatement(opened.database, /update reelmill\.domains t set webhook_secret/, () =>
			opened.engine.domains.updateConfig(domain.id, { webhook_secret: "whsec_newer" }),
		);
		const next = server({ ...changed, database: interrupted });
		await next.sweep();
		expect((await sealedUnder(before))["domains.webhook_secret"]).toEqual(["whsec_newer"]);
		expect(keysOf(next).secretsUnderPrevious).toBe(1);
		await next.sweep();
		expect((await sealedUnder(after))["domains.webhook_secret"]).toEqual(["whsec_newer"]);
		expect(keysOf(next).secretsUnderPrevious).toBe(0);
	});

	it("many secrets are sealed anew by several servers at once, one of which is killed midway, each exactly as it was", async () => {
		const count = 450;
		const sealer = createSealer(deriveKeys([before], "seal"), {
			bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
			uuid: () => "",
			fraction: () => 0,
		});
		const ids = Array.from({ length: count }, () => crypto.randomUUID());
		const secrets = ids.map((id) => `whsec_${id}`);
		await opened.database.query({
			text: `insert into reelmill.domains (id, slug, config, daily_upload_bytes, storage_bytes_limit, max_concurrent_processing, webhook_secret, created_at)
				select id, id::text, '{}', 1, 1, 1, secret, now() from unnest($1::uuid[], $2::text[]) t (id, secret)`,
			values: [ids, secrets.map(sealer.seal)],
		});
		let updates = 0;
		const dying = server({
			...changed,
			database: {
				...opened.database,
				query(statement) {
					if (/update reelmill\.domains t/.test(statement.text) && ++updates > 2) throw new Error("killed");
					return opened.database.query(statement);
				},
			},
		});
		await expect(dying.sweep()).rejects.toThrow("killed");
		const done = Object.values(await sealedUnder(after)).flat();
		expect(done).toHaveLength(200);
		const others = Array.from({ length: 3 }, () => server(changed));
		await Promise.all(others.map(run));
		// What one found in another's hands counts as left until its next look.
		await Promise.all(others.map(run));
		expect(others.map((engine) => keysOf(engine).secretsUnderPrevious)).toEqual([0, 0, 0]);
		expect(Object.values(await sealedUnder(before))).toEqual([]);
		expect((await sealedUnder(after))["domains.webhook_secret"]?.toSorted()).toEqual(secrets.toSorted());
	});

	it("servers that still have the old key don't seal back what those with the new one sealed, and it can be taken back", async () => {
		await tenantWithSecrets();
		const old = server({ masterKey: before, previousMasterKeys: [after] });
		await old.sweep();
		const next = server(changed);
		for (const engine of [next, old, next, old]) await run(engine);
		expect(await sealedUnder(before)).toEqual({});
		expect([keysOf(old).secretsUnderPrevious, keysOf(next).secretsUnderPrevious]).toEqual([3, 0]);
		const back = server({ masterKey: before, previousMasterKeys: [after], logger: opened.logger });
		await back.start();
		await expect.poll(() => keysOf(back).secretsUnderPrevious === 0 && sealedUnder(after)).toEqual({});
		await back.stop();
	});
});

describe("whether the previous key is still needed", () => {
	it("is said in the metrics, and once in the log when it isn't: nothing is sealed under it, and no token of it is good", async () => {
		await tenantWithSecrets();
		const old = await run(server({ masterKey: before, previousMasterKeys: [after] }));
		const next = await run(server(changed));
		expect(keysOf(next)).toEqual({ secretsUnderPrevious: 0, previousNeeded: true });
		await opened.clock.advance(day);
		// Another server still signs with it.
		await old.sweep();
		await opened.clock.advance(day - 1);
		expect(keysOf(await run(next)).previousNeeded).toBe(true);
		expect(warnings()).toEqual([]);
		await opened.clock.advance(180_001);
		for (const _ of [1, 2]) expect(keysOf(await run(next))).toEqual({ secretsUnderPrevious: 0, previousNeeded: false });
		expect(warnings()).toEqual([expect.stringContaining("they can be taken out of the settings")]);
		for (const previousMasterKeys of [[], [after]])
			expect(keysOf(server({ masterKey: after, previousMasterKeys })).previousNeeded).toBe(false);
	});

	it("is yes for a key that no server signs with yet: it is the next one", async () => {
		const told = await run(server({ masterKey: before, previousMasterKeys: [after] }));
		await opened.clock.advance(10 * day);
		expect(keysOf(await run(told))).toEqual({ secretsUnderPrevious: 0, previousNeeded: true });
	});

	it("ends also for a key of which is known by its secrets alone, as a server of an earlier version leaves it", async () => {
		await tenantWithSecrets();
		const next = await run(server(changed));
		await opened.clock.advance(day + 180_001);
		expect(keysOf(await run(next)).previousNeeded).toBe(false);
	});

	it("is told of secrets that no key opens: they are counted in the log", async () => {
		await tenantWithSecrets();
		await run(server({ masterKey: after, previousMasterKeys: [new Uint8Array(32).fill(9)] }));
		expect(opened.logger.entries).toContainEqual({
			level: "warn",
			fields: { secrets: 3 },
			message: expect.stringContaining("can't be opened by any master key"),
		});
	});
});
