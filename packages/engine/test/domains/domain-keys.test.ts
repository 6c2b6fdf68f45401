import { createEngine, type TenantPrincipal } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

const domains = () => opened.engine.domains;
const keysOf = async (id: string) => (await domains().listKeys(id)).data;
const keyIdOf = ({ keyId }: TenantPrincipal): string => {
	if (keyId === null) throw new Error("This principal has no key.");
	return keyId;
};
const unknown = "00000000-0000-4000-8000-000000000000";

it("the keys of a domain are the current one and the one in its grace, for as long as they work", async () => {
	const { domain, apiKey, principal } = await opened.tenant();
	const [first] = await keysOf(domain.id);
	const created_at = new Date(opened.clock.now()).toISOString();
	expect(first).toEqual({ id: keyIdOf(principal), last4: apiKey.slice(-4), created_at, expires_at: null });
	await opened.clock.advance(1000);
	const { api_key, previous_key_expires_at } = await domains().rotateKey(domain.id);
	expect(await keysOf(domain.id)).toEqual([
		expect.objectContaining({ last4: api_key.slice(-4), expires_at: null }),
		{ ...first, expires_at: previous_key_expires_at },
	]);
	await opened.clock.advance(3_600_000);
	expect(await keysOf(domain.id)).toHaveLength(1);
});

it("a key in its grace is ended at once, on other servers within 2 s; a current one isn't", async () => {
	const { domain, apiKey, principal } = await opened.tenant();
	const other = createEngine(opened.options);
	await expect(domains().endKey(domain.id, keyIdOf(principal))).rejects.toMatchObject({ code: "invalid_state" });
	const { api_key } = await domains().rotateKey(domain.id);
	for (const engine of [opened.engine, other]) await engine.keys.authenticate(`Bearer ${apiKey}`);
	await domains().endKey(domain.id, keyIdOf(principal));
	const refused = { code: "unauthorized" };
	await expect(opened.engine.keys.authenticate(`Bearer ${apiKey}`)).rejects.toMatchObject(refused);
	await opened.clock.advance(2001);
	await expect(other.keys.authenticate(`Bearer ${apiKey}`)).rejects.toMatchObject(refused);
	await opened.engine.keys.authenticate(`Bearer ${api_key}`);
	await expect(domains().endKey(domain.id, keyIdOf(principal))).rejects.toMatchObject({ code: "not_found" });
});

it("a key of another domain, of a session, or of nobody is none of the domain's", async () => {
	const { domain } = await opened.tenant();
	const { domain: foreign, principal } = await opened.tenant();
	await domains().rotateKey(foreign.id);
	for (const id of [keyIdOf(principal), unknown])
		await expect(domains().endKey(domain.id, id)).rejects.toMatchObject({ code: "not_found" });
	await opened.engine.start();
	const { api_key } = await opened.engine.sandbox.createSession();
	const session = await opened.engine.keys.authenticate(`Bearer ${api_key}`);
	expect(await keysOf(session.domainId)).toEqual([]);
	await expect(domains().endKey(session.domainId, keyIdOf(session))).rejects.toMatchObject({ code: "not_found" });
});

it("of a rotation and an end at once, the domain keeps a key that works", async () => {
	const { domain, principal } = await opened.tenant();
	await domains().rotateKey(domain.id);
	await Promise.allSettled([
		domains().rotateKey(domain.id),
		domains().endKey(domain.id, keyIdOf(principal)),
		domains().endKey(domain.id, keyIdOf(principal)),
	]);
	expect((await keysOf(domain.id)).filter(({ expires_at }) => expires_at === null)).toHaveLength(1);
});
