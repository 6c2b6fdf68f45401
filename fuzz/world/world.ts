import type { HttpSender } from "../send/http.ts";
import { createCaller } from "./caller.ts";
import { makeFixtures } from "./files.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { type Making, makeChunk, makeTenant } from "./tenant.ts";

export type World = {
	readonly registry: Registry;
	readonly tenants: readonly string[];
	readonly fixtures: ReadonlyMap<string, Buffer>;
};
export type WorldSize = { readonly tenants: number; readonly sandboxes: number; readonly spares: number };

/** Revocations of playback keys take effect everywhere within 5 s, those of service accounts within 2 s. */
const untilEnded = 6000;
const atOnce = 8;

/**
 * Makes what the cases need: tenants, sandbox sessions, domains and accounts that may be broken, and ended credentials.
 */
export async function makeWorld(
	sender: HttpSender,
	adminKey: string,
	size: WorldSize,
	addressOf: (number: number) => string | undefined,
): Promise<World> {
	const registry = createRegistry();
	const caller = createCaller(sender);
	const fixtures = await makeFixtures();
	registry.credentials.set(adminKey, { plane: "admin", owner: "platform", isSound: "yes" });
	registry.secrets.add(adminKey);
	registry.add(null, "admin", adminKey);
	const account = await makeAccount("workers", { caller, registry, adminKey });
	registry.credentials.set(account.token, { plane: "service", owner: "platform", isSound: "yes" });
	registry.add(null, "service", account.token);
	registry.add(null, "account.name", "workers");
	registry.add(null, "account.secret", account.secret);
	const making: Making = { caller, registry, adminKey, service: account.token, fixtures };
	await makeChunk(making);
	await makeEnded(making);
	const endedAt = Date.now();
	const tenants = await inTurns(size.tenants, (index) => makeTenant(index, making));
	await inTurns(size.sandboxes, (index) => makeSandbox(index, making, addressOf(index)));
	await inTurns(size.spares, (index) => makeSpare(index, making));
	const { next_cursor } = await caller.call<{ next_cursor: string | null }>(
		"GET",
		"/admin/v1/domains?limit=1",
		adminKey,
	);
	if (next_cursor !== null) registry.add(null, "cursor.listDomains", next_cursor);
	await new Promise((resolve) => setTimeout(resolve, Math.max(0, endedAt + untilEnded - Date.now())));
	return { registry, tenants, fixtures };
}

async function inTurns<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
	const made: T[] = [];
	for (let start = 0; start < count; start += atOnce) {
		made.push(
			...(await Promise.all(
				Array.from({ length: Math.min(atOnce, count - start) }, (_, index) => make(start + index)),
			)),
		);
	}
	return made;
}

async function makeAccount(
	name: string,
	{ caller, registry, adminKey }: Pick<Making, "caller" | "registry" | "adminKey">,
): Promise<{ id: string; secret: string; token: string }> {
	const { service_account, secret } = await caller.call<{ service_account: { id: string }; secret: string }>(
		"POST",
		"/admin/v1/service-accounts",
		adminKey,
		{
			name,
		},
	);
	const { token } = await caller.call<{ token: string }>("POST", "/internal/v1/token", null, { name, secret });
	registry.ids.set(service_account.id, "platform");
	registry.secrets.add(secret);
	registry.credentials.set(secret, { plane: "service", owner: "platform", isSound: "maybe" });
	return { id: service_account.id, secret, token };
}

async function makeSandbox(index: number, { caller, registry }: Making, from: string | undefined): Promise<void> {
	const owner = `s${index}`;
	const { api_key } = await caller.call<{ api_key: string }>("POST", "/v1/sandbox/session", null, undefined, {
		...(from !== undefined && { from }),
	});
	registry.credentials.set(api_key, { plane: "sandbox", owner, isSound: "maybe" });
	registry.secrets.add(api_key);
	registry.add(null, "sandbox.key", api_key);
	const { video } = await caller.call<{ video: { id: string } }>("POST", "/v1/videos", api_key, {
		content_type: "video/mp4",
		file_size: 10,
		external_ref: `canary-${owner}-external`,
	});
	registry.ids.set(video.id, owner);
}

/** Makes a domain and an account that cases may rotate, limit and delete. */
async function makeSpare(index: number, making: Making): Promise<void> {
	const { caller, registry, adminKey } = making;
	const { domain, api_key } = await caller.call<{ domain: { id: string }; api_key: string }>(
		"POST",
		"/admin/v1/domains",
		adminKey,
		{ slug: `spare-${index}` },
	);
	registry.ids.set(domain.id, `x${index}`);
	registry.credentials.set(api_key, { plane: "tenant", owner: `x${index}`, isSound: "maybe" });
	registry.secrets.add(api_key);
	registry.add(null, "spare.domain", domain.id);
	registry.add(null, "spare.key", api_key);
	const { service_account } = await caller.call<{ service_account: { id: string } }>(
		"POST",
		"/admin/v1/service-accounts",
		adminKey,
		{
			name: `spare-${index}`,
		},
	);
	registry.ids.set(service_account.id, "platform");
	registry.add(null, "spare.account", service_account.id);
}

/**
 * Makes credentials that were valid once: of a key rotated twice, a deleted domain, a revoked account, a revoked
 * viewer.
 */
async function makeEnded(making: Making): Promise<void> {
	const { caller, registry, adminKey } = making;
	const ended = (name: string, token: string, plane: "tenant" | "service" | "playback") => {
		registry.credentials.set(token, { plane, owner: "ended", isSound: "no" });
		registry.add(null, `ended.${name}`, token);
	};
	for (const how of ["rotated", "deleted"]) {
		const { domain, api_key } = await caller.call<{ domain: { id: string }; api_key: string }>(
			"POST",
			"/admin/v1/domains",
			adminKey,
			{ slug: `ended-${how}` },
		);
		const { playback_key } = await caller.call<{ playback_key: string }>("POST", "/v1/playback-keys", api_key, {
			viewer_ref: "ended",
		});
		await caller.call("POST", "/v1/playback-keys/revoke", api_key, { viewer_ref: "ended" });
		if (how === "deleted") await caller.call("DELETE", `/admin/v1/domains/${domain.id}`, adminKey);
		else for (const _ of [1, 2]) await caller.call("POST", `/admin/v1/domains/${domain.id}/rotate-key`, adminKey);
		ended("key", api_key, "tenant");
		ended("playback", playback_key, "playback");
	}
	const { id, token } = await makeAccount("ended", making);
	await caller.call("DELETE", `/admin/v1/service-accounts/${id}`, adminKey);
	ended("service", token, "service");
}
