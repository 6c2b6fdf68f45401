import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type Api,
	type AuditAction,
	type AuditEntry,
	type AuditPage,
	api,
	auditActions,
	type Domain,
	type Operation,
	type OperationName,
} from "@reelmill/contracts";
import type { Statement } from "@reelmill/engine";
import { playlistOf } from "@reelmill/engine/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalBuckets, type LocalBuckets } from "../../../engine/test/support/local-buckets.ts";
import { pathOf } from "../support/contract.ts";
import { unlimited } from "../support/credentials.ts";
import { adminKey, claimed, completion, initiate, once, openService, type Service } from "../support/open-service.ts";
import { type Answer, bearer } from "../support/send.ts";

/** A tenant that has something of everything. */
type World = {
	readonly domain: Domain;
	readonly apiKey: string;
	readonly graceKey: { readonly id: string; readonly apiKey: string };
	readonly pendingId: string;
	readonly availableId: string;
	readonly failedId: string;
	readonly importId: string;
	readonly accountId: string;
};
type Call = { readonly id?: (world: World) => string; readonly json?: unknown; readonly text?: string };
type Audited = Call & {
	readonly resource?: (world: World) => string;
	readonly label?: (world: World) => string | null;
	readonly changed?: readonly string[];
};

const clip = { content_type: "video/mp4", file_size: 10 };
const secrets = {
	webhook: "whsec_given-by-a-tenant",
	storage: "storage-secret-of-a-tenant",
	console: "console-secret-0123456789-abcdefghijklm",
};
const bucket = {
	backend: "s3_tenant",
	endpoint: "https://s3.example",
	bucket: "one",
	access_key_id: "AKIDTENANT",
	secret_access_key: secrets.storage,
};
const ofDomain = { resource: ({ domain }: World) => domain.id, label: ({ domain }: World) => domain.slug };
const withDomain = { ...ofDomain, id: ({ domain }: World) => domain.id };
const ofVideo = (which: "pendingId" | "availableId" | "failedId") => ({
	id: (world: World) => world[which],
	resource: (world: World) => world[which],
});
const ofAccount = { id: ({ accountId }: World) => accountId, resource: ({ accountId }: World) => accountId };

/**
 * The operations that the contract calls audited, but the console's own, whose log `packages/engine/test/console` holds
 * to the same.
 */
type AuditedName = {
	[K in OperationName]: Api[K] extends { audit: Exclude<AuditAction, `console${string}`> } ? K : never;
}[OperationName];
/** What is asked, and what the log says of it. */
const audited: { readonly [K in AuditedName]: Audited } = {
	createDomain: { json: { slug: "made-new" } },
	updateDomain: {
		...withDomain,
		json: { slug: "renamed", limits: { storage_bytes_limit: 7, max_concurrent_processing: 4 } },
		label: () => "renamed",
		changed: ["limits.storage_bytes_limit", "slug"],
	},
	deleteDomain: withDomain,
	rotateDomainKeyAsAdmin: withDomain,
	requestTranscripts: withDomain,
	updateDomainConfig: {
		...ofDomain,
		json: { webhook_secret: secrets.webhook, outputs: { dash: true }, cors_origins: ["https://a.example"] },
		changed: ["cors_origins", "outputs.dash", "webhook_secret"],
	},
	rotateDomainKey: ofDomain,
	endDomainKey: {
		...ofDomain,
		id: ({ graceKey }) => graceKey.id,
	},
	rotateWebhookSecret: ofDomain,
	putStorage: { ...ofDomain, json: { ...bucket, key_prefix: "other" } },
	deleteStorage: ofDomain,
	createOutro: { json: { ...clip, slug: "new-tail" }, resource: () => "new-tail" },
	deleteOutro: { id: () => "tail", resource: () => "tail" },
	revokePlaybackKeys: { json: { viewer_ref: "viewer" }, resource: () => "viewer" },
	revokeAllPlaybackKeys: ofDomain,
	putVideoMetadata: { ...ofVideo("availableId"), json: { title: "Named", values: {} } },
	updateVideoVisibility: {
		...ofVideo("availableId"),
		json: { visibility: "public" },
	},
	putCaptions: {
		...ofVideo("availableId"),
		text: "1\n00:00:00,000 --> 00:00:01,000\nHallo\n",
	},
	deleteCaptions: ofVideo("availableId"),
	putChapters: { ...ofVideo("availableId"), json: { chapters: [{ start_seconds: 0, title: "Two" }] } },
	deleteChapters: ofVideo("availableId"),
	createClip: { id: ({ availableId }) => availableId, json: { start_seconds: 0, end_seconds: 0.5 } },
	putPoster: { ...ofVideo("availableId"), json: { at_seconds: 0 } },
	deletePoster: ofVideo("availableId"),
	cancelVideo: ofVideo("pendingId"),
	deleteVideo: ofVideo("availableId"),
	reprocessVideo: ofVideo("failedId"),
	createImport: { json: { url: "https://files.example/clip.mp4?key=0123456789" } },
	cancelImport: { id: ({ importId }) => importId, resource: ({ importId }) => importId },
	createErasure: { ...ofDomain, json: { uploader_ref: "ada" } },
	createServiceAccount: { json: { name: "fleet" }, label: () => "fleet" },
	rotateServiceAccount: ofAccount,
	revokeServiceAccount: ofAccount,
};

/** Actions that no operation makes: they come from a program that embeds the engine. */
const embedded: readonly AuditAction[] = ["domain.key_added"];

let service: Service;
let buckets: LocalBuckets;
let directory: string;
const texts: string[] = [];
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-audit-"));
	buckets = createLocalBuckets(directory);
	await buckets.make("one", { AKIDTENANT: secrets.storage });
	service = await openService({ trustedProxies: ["127.0.0.1"] }, ({ database }) => ({
		rateLimiter: unlimited,
		consoleSecret: secrets.console,
		windows: { keepFailed: 3600 },
		buckets,
		database: {
			...database,
			query: (statement: Statement) => {
				texts.push(statement.text);
				return database.query(statement);
			},
		} as typeof database,
	}));
	await service.engine.start();
});
afterAll(async () => {
	await service.engine.stop();
	await service.close();
	await rm(directory, { recursive: true });
});

const query = <R>(text: string, ...values: unknown[]) =>
	service.database.query({ text, values }) as Promise<unknown> as Promise<R[]>;
const told: string[] = [];
let accounts = 0;

async function furnish(): Promise<World> {
	const { domain, apiKey } = await service.tenant();
	const auth = bearer(apiKey);
	const job = await claimed(service, auth);
	const { engine } = service;
	const files = { "hls/master.m3u8": playlistOf(1), "web.mp4": "mp4", "og.jpg": "jpg" };
	await engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			for (const [path, text] of Object.entries(files)) yield { path, bytes: once(text) };
		})(),
	);
	await engine.jobs.complete(job.id, completion(job.lock, Object.keys(files)));
	await query("update reelmill.videos set transcript_status = 'unavailable' where id = $1", job.id);
	const principal = await engine.keys.authenticate(`Bearer ${apiKey}`);
	await engine.captions.put(principal, job.id, {
		language: "de",
		text: "WEBVTT\n\n00:00.000 --> 00:01.000\nGuten Tag\n",
	});
	await engine.posters.put(principal, job.id, { at_seconds: 0, preview: false });
	await engine.chapters.put(principal, job.id, [{ start_seconds: 0, title: "One" }]);
	await engine.outros.create(principal, { ...clip, slug: "tail" });
	const imported = await engine.imports.create(principal, { url: "https://files.example/a.mp4" });
	const { video: pending } = await initiate(service, auth, { uploader_ref: "ada" });
	const failed = await claimed(service, auth);
	await engine.jobs.fail(failed.id, { lock: failed.lock, reason: "storage_error", retryable: false });
	const { api_key: current } = await engine.domains.rotateKey(domain.id);
	const grace = await engine.keys.authenticate(`Bearer ${apiKey}`);
	await engine.storage.put(domain.id, bucket as Parameters<typeof engine.storage.put>[1]);
	const { service_account, secret } = await engine.accounts.create({ name: `account-${accounts++}` });
	told.push(apiKey, current, secret);
	return {
		domain,
		apiKey: current,
		graceKey: { id: grace.keyId ?? "", apiKey },
		pendingId: pending.id,
		availableId: job.id,
		failedId: failed.id,
		importId: imported.id,
		accountId: service_account.id,
	};
}

const isAdmin = (name: AuditedName): boolean => api[name].plane === "admin";
function ask(name: AuditedName, world: World): Promise<Answer> {
	const operation: Operation = api[name];
	const { id, json, text } = audited[name];
	return service.send({
		method: operation.method,
		path: pathOf(operation, (part) => (part === "language" ? "de" : (id?.(world) ?? ""))),
		headers: {
			...bearer(isAdmin(name) ? adminKey : world.apiKey),
			"x-request-id": `request-${name}`,
			"x-forwarded-for": "2001:db8::17",
			...(text !== undefined && { "content-type": "text/vtt" }),
		},
		...(text !== undefined && { body: text }),
		...(json !== undefined && { json }),
	});
}
/** All of the log, page by page. */
async function log(): Promise<AuditEntry[]> {
	const entries: AuditEntry[] = [];
	let next: string | null = "";
	while (next !== null) {
		const path = `/admin/v1/audit?limit=100${next && `&cursor=${next}`}`;
		const { data, next_cursor } = (await service.send({ path, headers: bearer(adminKey) })).json as AuditPage;
		entries.push(...data);
		next = next_cursor;
	}
	return entries;
}

/** What the tables hold, but the log, and notes of bytes that a probe of a bucket may have left. */
async function tables(): Promise<Record<string, unknown>> {
	const names = await query<{ name: string }>(
		"select table_name as name from information_schema.tables where table_schema = 'reelmill' and table_type = 'BASE TABLE' order by 1",
	);
	const holding: Record<string, unknown> = {};
	for (const { name } of names.filter((table) => !["audit", "deletions"].includes(table.name)))
		[holding[name]] = await query(
			`select count(*), md5(string_agg(t::text, '|' order by t::text)) from reelmill.${name} t`,
		);
	return holding;
}

describe("an operation that changes something on the tenant, admin or console plane", () => {
	it("gives each action of the log its cause", () => {
		const made = Object.values<Operation>(api).flatMap(({ audit }) => audit ?? []);
		expect([...new Set([...made, ...embedded])].sort()).toEqual(Object.keys(auditActions).sort());
	});

	it.each(Object.entries(audited) as [AuditedName, Audited][])(
		"%s is written to the log by the statement that makes the change, or is not made",
		async (name, { resource, label, changed = [] }) => {
			const { audit: action } = api[name];
			const world = await furnish();
			const before = await log();

			await query("alter table reelmill.audit add constraint refused check (action is null) not valid");
			const held = await tables();
			expect((await ask(name, world)).status).toBe(500);
			expect(await tables()).toEqual(held);
			await query("alter table reelmill.audit drop constraint refused");
			expect(await log()).toEqual(before);

			texts.length = 0;
			const answer = await ask(name, world);
			expect([200, 201, 202, 204], answer.text).toContain(answer.status);
			const writing = texts.filter((text) => text.includes("reelmill.audit"));
			expect(writing).toHaveLength(1);
			expect(writing[0]).toMatch(
				/(insert into|update|delete from) reelmill\.(?!audit)|reelmill\.(rotate_|choose_storage|revoke_viewer|delete_outro|initiate_upload|create_import)/,
			);

			const written = (await log()).filter(({ id }) => !before.some((entry) => entry.id === id));
			expect(written).toEqual([
				{
					id: expect.any(String),
					at: new Date(service.clock.now()).toISOString(),
					actor: isAdmin(name)
						? { kind: "admin_key", id: null, label: `...${adminKey.slice(-4)}` }
						: { kind: "domain_key", id: expect.any(String), label: `...${world.apiKey.slice(-4)}` },
					action,
					resource: {
						kind: expect.any(String),
						id: resource?.(world) ?? expect.any(String),
						label: label === undefined ? (written[0]?.resource.label ?? null) : label(world),
					},
					changed,
					domain_id: action.startsWith("service_account.") ? null : (resourceDomain(name, world) ?? expect.any(String)),
					address: "2001:db8::17",
					request_id: `request-${name}`,
				},
			]);
			for (const [, value] of answer.text.matchAll(/"(?:api_key|secret|webhook_secret|token)":"([^"]+)"/g))
				told.push(value ?? "");
		},
	);

	it("never writes a secret that was given or made, nor eight characters of one", async () => {
		const headers = { "x-service-console": "1" };
		const signIn = { method: "POST", path: "/console/v1/session", headers, json: { secret: secrets.console } };
		const cookie = String((await service.send(signIn)).headers["set-cookie"]);
		told.push(...(/=([^;]{20,});/.exec(cookie)?.[1] ?? "").split("."));
		const [row] = await query<{ all: string }>("select string_agg(a::text, ' ') as all from reelmill.audit a");
		const all = row?.all ?? "";
		for (const name of Object.keys(audited) as AuditedName[]) expect(all).toContain(api[name].audit);
		expect(all).toContain("console.signed_in");
		const every = new Set([...told, ...Object.values(secrets), adminKey]);
		expect(every.size).toBeGreaterThan(40);
		const pieces = [...every].flatMap((secret) =>
			Array.from({ length: Math.max(1, secret.length - 7) }, (_, at) => secret.slice(at, at + 8)),
		);
		expect(pieces.filter((piece) => all.includes(piece))).toEqual([]);
	});
});

/** The domain that an entry concerns; undefined for one that the operation makes. */
const resourceDomain = (name: AuditedName, { domain }: World): string | undefined =>
	name === "createDomain" ? undefined : domain.id;

describe("a change that doesn't come about", () => {
	it("is not in the log: refused, done before, or without a difference", async () => {
		const world = await furnish();
		const send = (method: string, path: string, json?: unknown, key = world.apiKey) =>
			service.send({ method, path, headers: bearer(key), ...(json !== undefined && { json }) });
		await send("PATCH", "/v1/domain/config", { transcript: true, outputs: { dash: true } });
		await send("DELETE", "/v1/domain/storage");
		await send("DELETE", `/admin/v1/service-accounts/${world.accountId}`, undefined, adminKey);
		await send("POST", "/v1/domain/rotate-key", { grace_seconds: 3600 }, world.graceKey.apiKey);
		const before = await log();
		const answers = [
			await send("PATCH", "/v1/domain/config", { transcript: true, outputs: { dash: true }, webhook_secret: null }),
			await send("PATCH", "/v1/domain/config", { transcript: "yes" }),
			await send("DELETE", "/v1/domain/storage"),
			await send("PUT", "/v1/domain/storage", { ...bucket, secret_access_key: "wrong" }),
			await send("DELETE", "/v1/outros/none"),
			await send("PATCH", `/v1/videos/${world.availableId}/visibility`, { visibility: "private" }),
			await send("POST", `/v1/videos/${world.availableId}/cancel`),
			await send("DELETE", `/admin/v1/service-accounts/${world.accountId}`, undefined, adminKey),
			await send("PATCH", `/admin/v1/domains/${world.domain.id}`, { slug: world.domain.slug }, adminKey),
			await send("POST", "/v1/domain/rotate-key", {}, world.graceKey.apiKey),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 400, 404, 200, 409, 204, 200, 403]);
		expect(await log()).toEqual(before);
	});

	it("and a sandbox visitor's videos are not in the log either", async () => {
		const { api_key } = await service.engine.sandbox.createSession();
		const { video } = await initiate(service, bearer(api_key));
		const before = await log();
		const answer = await service.send({ method: "DELETE", path: `/v1/videos/${video.id}`, headers: bearer(api_key) });
		expect(answer.status).toBe(204);
		expect(await log()).toEqual(before);
	});
});

describe("the log of a domain", () => {
	it("is its tenant's alone: no other tenant's, no sandbox visitor's", async () => {
		const [own, other] = [await service.tenant(), await service.tenant()];
		await service.send({
			method: "PATCH",
			path: "/v1/domain/config",
			headers: own.auth,
			json: { cors_origins: ["https://own.example"] },
		});
		const { api_key } = await service.engine.sandbox.createSession();
		const read = (headers: Record<string, string>, query = "") =>
			service.send({ path: `/v1/audit${query}`, headers }) as Promise<Answer & { json: AuditPage }>;
		expect((await read(own.auth)).json.data.map(({ action }) => action)).toContain("domain.config_updated");
		for (const query of ["", `?resource_id=${own.domain.id}`])
			expect(
				(await read(other.auth, query)).json.data.filter(({ domain_id }) => domain_id !== other.domain.id),
			).toEqual([]);
		expect(await read(other.auth, `?domain_id=${own.domain.id}`)).toMatchObject({ status: 400 });
		expect(await read(bearer(api_key))).toMatchObject({ status: 403, json: { error: "sandbox_not_allowed" } });
		expect(await service.send({ path: "/admin/v1/audit", headers: own.auth })).toMatchObject({ status: 404 });
	});

	it("names an admin of the console to the operator, and to the tenant says only that it was one", async () => {
		const { domain, auth } = await service.tenant();
		const headers = { "x-service-console": "1", "x-forwarded-for": "203.0.113.77" };
		const signedIn = await service.send({
			method: "POST",
			path: "/console/v1/session",
			headers,
			json: { secret: secrets.console },
		});
		const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
		const { account } = signedIn.json as { account: { id: string } };
		const answer = await service.send({
			method: "PATCH",
			path: "/v1/domain/config",
			headers: { ...headers, cookie, "x-service-domain": domain.id },
			json: { transcript: true },
		});
		expect(answer.status).toBe(200);
		const of = async (path: string, credential: Record<string, string>) =>
			((await service.send({ path: `${path}action=domain.config_updated`, headers: credential })).json as AuditPage)
				.data[0];
		expect(await of(`/admin/v1/audit?domain_id=${domain.id}&`, bearer(adminKey))).toMatchObject({
			actor: { kind: "account", id: account.id, label: "operator" },
			address: "203.0.113.77",
		});
		expect(await of("/v1/audit?", auth)).toMatchObject({
			actor: { kind: "account", id: null, label: "operator" },
			address: null,
			request_id: null,
		});
	});
});
