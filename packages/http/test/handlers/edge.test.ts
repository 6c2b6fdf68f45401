import { createHash } from "node:crypto";
import { EdgeFeed, type PlaybackKeyAlgorithm, PlaybackKeySet } from "@reelmill/contracts";
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../support/open-service.ts";

const services = new Map<PlaybackKeyAlgorithm, Service>();
beforeAll(async () => {
	for (const playbackKeyAlgorithm of ["HS256", "EdDSA", "ES256"] as const)
		services.set(playbackKeyAlgorithm, await openService({}, () => ({ playbackKeyAlgorithm })));
});
afterAll(async () => {
	for (const service of services.values()) await service.close();
});
const of = (algorithm: PlaybackKeyAlgorithm): Service => services.get(algorithm) as Service;

async function keySet(service: Service) {
	const answer = await service.send({ path: "/v1/playback-keys/jwks.json" });
	expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "public, max-age=60"]);
	return PlaybackKeySet.parse(answer.json);
}
const digestOf = (text: string) => createHash("sha256").update(text).digest("base64url");

describe("the public keys", () => {
	it("are one of each algorithm, named by their thumbprints, and hold nothing that is secret", async () => {
		const { keys } = await keySet(of("HS256"));
		expect(keys.map(({ alg, kty, crv, use }) => [alg, kty, crv, use])).toEqual([
			["EdDSA", "OKP", "Ed25519", "sig"],
			["ES256", "EC", "P-256", "sig"],
		]);
		for (const key of keys) {
			expect(await calculateJwkThumbprint(key)).toBe(key.kid);
			expect(key).not.toHaveProperty("d");
		}
		expect((await keySet(of("ES256"))).keys).toEqual(keys);
	});
});

describe.each(["EdDSA", "ES256"] as const)("with %s an edge", (algorithm) => {
	const service = () => of(algorithm);
	async function mint(auth: Record<string, string>, viewer_ref = "anna@example.com") {
		const sent = { method: "POST", path: "/v1/playback-keys", headers: auth, json: { viewer_ref } } as const;
		return ((await service().send(sent)).json as { playback_key: string }).playback_key;
	}
	const verify = async (token: string, audience: string) =>
		jwtVerify(token, createLocalJWKSet(await keySet(service())), {
			audience,
			algorithms: [algorithm],
			currentDate: new Date(service().clock.now()),
		});
	const feed = (domain: string, headers: Record<string, string> = {}) =>
		service().send({ path: `/v1/edge/${domain}`, headers });
	const post = (path: string, auth: Record<string, string>, json?: unknown) =>
		service().send({ method: "POST", path, headers: auth, ...(json !== undefined && { json }) });

	it("verifies keys by the public keys, and reads in them a name for the viewer that the feed has once the viewer is revoked", async () => {
		const { auth, domain } = await service().tenant();
		const { payload, protectedHeader } = await verify(await mint(auth), "service-playback");
		expect(protectedHeader).toMatchObject({ alg: algorithm, typ: "JWT" });
		expect(payload).toMatchObject({ sub: "anna@example.com", domain: domain.id, epoch: 0 });
		const viewer = payload["viewer"] as string;
		const before = await feed(domain.id);
		expect(before).toMatchObject({ status: 200, json: { domain: domain.id, epoch: 0, viewers: {}, videos: {} } });
		await post("/v1/playback-keys/revoke", auth, { viewer_ref: "anna@example.com" });
		await service().clock.advance(1001);
		const after = await feed(domain.id);
		const { viewers } = EdgeFeed.parse(after.json);
		expect(Object.keys(viewers)).toEqual([viewer]);
		expect(after.text).not.toContain("anna");
		await post("/v1/playback-keys/revoke", auth, { viewer_ref: "anna@example.com" });
		await service().clock.advance(1001);
		expect(EdgeFeed.parse((await feed(domain.id)).json).viewers[viewer]).not.toBe(viewers[viewer]);
		await post("/v1/playback-keys/revoke-all", auth);
		await service().clock.advance(1001);
		expect((await feed(domain.id)).json).toMatchObject({ epoch: 1, viewers: {} });
	});

	it("is proved each answer, by a signature that says of which domain and bytes and when, also if nothing changed", async () => {
		const { domain } = await service().tenant();
		const first = await feed(domain.id);
		expect(first.headers).toMatchObject({ etag: `"${digestOf(first.text)}"`, "cache-control": "no-cache" });
		const proved = async (proof: string | undefined) => (await verify(proof ?? "", "reelmill-edge")).payload;
		const iat = Math.floor(service().clock.now() / 1000);
		expect(await proved(first.headers["reelmill-edge-proof"] as string)).toEqual({
			aud: "reelmill-edge",
			domain: domain.id,
			sha256: digestOf(first.text),
			iat,
		});
		await service().clock.advance(2000);
		const second = await feed(domain.id, { "if-none-match": first.headers["etag"] as string });
		expect([second.status, second.text]).toEqual([304, ""]);
		expect(await proved(second.headers["reelmill-edge-proof"] as string)).toMatchObject({
			sha256: digestOf(first.text),
			iat: iat + 2,
		});
	});

	it("gets no feed of a domain that is unknown or deleted", async () => {
		const { domain } = await service().tenant();
		expect((await feed(domain.id)).status).toBe(200);
		await service().engine.admin.deleteDomain(domain.id);
		await service().clock.advance(1001);
		for (const id of [domain.id, "0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21", "no-domain"])
			expect(await feed(id)).toMatchObject({ status: 404, json: { error: "not_found" } });
	});
});

it("questions for unknown domains count towards the limit of their address, and those for known ones don't", async () => {
	const { send, tenant } = of("EdDSA");
	const { domain } = await tenant();
	const statusOf = async (id: string) => (await send({ path: `/v1/edge/${id}` })).status;
	const unknown = Array.from({ length: 201 }, () => statusOf(crypto.randomUUID()));
	expect(new Set(await Promise.all(unknown))).toEqual(new Set([404, 429]));
	expect([await statusOf(domain.id), await statusOf(crypto.randomUUID())]).toEqual([200, 429]);
});

it("an edge gets no feed while keys are signed by HS256, and is told which setting to change", async () => {
	const { domain } = await of("HS256").tenant();
	expect(await of("HS256").send({ path: `/v1/edge/${domain.id}` })).toMatchObject({
		status: 404,
		json: { error: "not_found", message: expect.stringContaining("REELMILL_PLAYBACK_KEY_ALGORITHM") },
	});
});
