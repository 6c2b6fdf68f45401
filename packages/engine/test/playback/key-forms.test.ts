import { createHmac, sign as signBytes } from "node:crypto";
import type { PlaybackKeyAlgorithm } from "@reelmill/contracts";
import { createEngine, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSigningKeys, createTokenFamily, deriveKeys } from "../../src/secrets/index.ts";
import { finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

const algorithms = ["HS256", "EdDSA", "ES256"] as const;
const pairAlgorithms = ["EdDSA", "ES256"] as const;
let opened: OpenedEngine;
/** Servers over one database, each with another setting. */
let servers: Record<PlaybackKeyAlgorithm, Engine>;
let tenant: Awaited<ReturnType<typeof published>>;
beforeAll(async () => {
	opened = await openEngine();
	const serverOf = (playbackKeyAlgorithm: PlaybackKeyAlgorithm) =>
		createEngine({ ...opened.options, playbackKeyAlgorithm });
	servers = { HS256: opened.engine, EdDSA: serverOf("EdDSA"), ES256: serverOf("ES256") };
	tenant = await published();
});
afterAll(() => opened.close());

async function published() {
	const made = await opened.tenant();
	const { video } = await uploadVideo(opened, made.principal);
	await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
	return { ...made, id: video.id };
}
const mint = async (engine: Engine, principal: TenantPrincipal, input: object = {}): Promise<string> =>
	(await engine.playback.createKey(principal, { viewer_ref: "viewer", ttl_seconds: 3600, ...input })).playback_key;
/** What a server says to a key: nothing, or an error's code. */
const answer = (engine: Engine, token: string, videoId = tenant.id): Promise<string> =>
	engine.serving.open({ videoId, path: "web.mp4", authorization: `Bearer ${token}` }).then(
		() => "open",
		(error: { code?: string }) => error.code ?? "",
	);
/** What every server says, if they agree. */
async function answers(token: string, videoId = tenant.id): Promise<string> {
	const said = await Promise.all(algorithms.map((algorithm) => answer(servers[algorithm], token, videoId)));
	expect(new Set(said).size, said.join()).toBe(1);
	return said[0] as string;
}
const invalid = "playback_key_invalid";
const read = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());
const write = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const masterKey = new Uint8Array(32).fill(7);
const keysFor = (algorithm: PlaybackKeyAlgorithm) => createSigningKeys([masterKey], algorithm);

describe.each(algorithms)("a key of %s", (algorithm) => {
	const engine = () => servers[algorithm];

	it("is good on every server, whatever its setting, until it ends", async () => {
		const token = await mint(engine(), tenant.principal, { ttl_seconds: 60 });
		expect(read(token.split(".")[0])["alg"]).toBe(algorithm);
		expect(await answers(token)).toBe("open");
		await opened.clock.advance(60_000);
		expect(await answers(token)).toBe(invalid);
	});

	it("is invalid if one of its characters is another, or its signature is missing or twice as long", async () => {
		const token = await mint(engine(), tenant.principal);
		const [header = "", payload = "", signature = ""] = token.split(".");
		const claims = write({ ...read(payload), sub: "else" });
		const flipped = `${signature.slice(0, 9)}${signature[9] === "A" ? "B" : "A"}${signature.slice(10)}`;
		for (const forged of [
			`${header}.${claims}.${signature}`,
			`${header}.${payload}.${flipped}`,
			`${header}.${payload}.`,
			`${header}.${payload}.${signature}${signature}`,
			`${header}.${payload}.${signature}.`,
		])
			expect(await answers(forged), forged).toBe(invalid);
	});

	it("is invalid if it is of another family", async () => {
		const { order, ...claims } = read((await mint(engine(), tenant.principal)).split(".")[1]);
		const signing = keysFor(algorithm);
		const others = [
			createTokenFamily("service-upload", deriveKeys([masterKey], "playback-key"), opened.clock, signing),
			createTokenFamily("reelmill-edge", deriveKeys([masterKey], "playback-key"), opened.clock, signing),
		];
		for (const family of others)
			expect(await answers((await family.sign({ ...claims, order }, 600)).token)).toBe(invalid);
	});

	it("is invalid for another domain, and for a video that it was narrowed away from", async () => {
		const other = await published();
		expect(await answers(await mint(engine(), tenant.principal), other.id)).toBe(invalid);
		const { video } = await uploadVideo(opened, tenant.principal);
		const narrowed = await mint(engine(), tenant.principal, { video_ids: [video.id] });
		expect(await answers(narrowed)).toBe(invalid);
		expect(await answers(await mint(engine(), tenant.principal, { video_ids: [tenant.id] }))).toBe("open");
	});

	it("is invalid once its viewer is revoked, and once all are", async () => {
		const { principal, id } = await published();
		const [token, elses] = [await mint(engine(), principal), await mint(engine(), principal, { viewer_ref: "else" })];
		await engine().playback.revoke(principal, { viewer_ref: "viewer" });
		await opened.clock.advance(2001);
		expect([await answers(token, id), await answers(elses, id)]).toEqual([invalid, "open"]);
		expect(await answers(await mint(engine(), principal), id)).toBe("open");
		await engine().playback.revokeAll(principal);
		await opened.clock.advance(2001);
		expect(await answers(elses, id)).toBe(invalid);
	});
});

describe("a key that names another algorithm than its own", () => {
	const claimsOf = async () => (await mint(servers.EdDSA, tenant.principal)).split(".")[1] ?? "";
	const hmac = (secret: string | Buffer | Uint8Array, text: string) =>
		createHmac("sha256", secret).update(text).digest("base64url");

	it("is refused if it is signed by nothing", async () => {
		const payload = await claimsOf();
		for (const alg of ["none", "None", "NONE", ""])
			expect(await answers(`${write({ alg, typ: "JWT" })}.${payload}.`)).toBe(invalid);
	});

	it("is refused if a public key was taken for a secret one", async () => {
		const payload = await claimsOf();
		for (const algorithm of pairAlgorithms) {
			const { publicKey, jwk } = keysFor(algorithm).current ?? {};
			if (publicKey === undefined || jwk === undefined) throw new Error("there is no such pair");
			const text = `${write({ alg: "HS256", typ: "JWT", kid: jwk.kid })}.${payload}`;
			for (const secret of [
				publicKey.export({ format: "pem", type: "spki" }),
				publicKey.export({ format: "der", type: "spki" }),
				JSON.stringify(jwk),
				Buffer.from(jwk.x, "base64url"),
			])
				expect(await answers(`${text}.${hmac(secret, text)}`)).toBe(invalid);
		}
	});

	it("is refused if it is signed by a pair that its kid doesn't name, or that is of another algorithm", async () => {
		const payload = await claimsOf();
		const [ed, es] = pairAlgorithms.map((algorithm) => keysFor(algorithm).current);
		if (!ed || !es) throw new Error("there are no pairs");
		const byEd = (header: object) => {
			const text = `${write(header)}.${payload}`;
			return `${text}.${signBytes(null, Buffer.from(text), ed.privateKey).toString("base64url")}`;
		};
		const byEs = (header: object) => {
			const text = `${write(header)}.${payload}`;
			const key = { key: es.privateKey, dsaEncoding: "ieee-p1363" } as const;
			return `${text}.${signBytes("sha256", Buffer.from(text), key).toString("base64url")}`;
		};
		expect(await answers(byEd({ alg: "EdDSA", kid: ed.jwk.kid }))).toBe("open");
		expect(await answers(byEs({ alg: "ES256", kid: es.jwk.kid }))).toBe("open");
		for (const forged of [
			byEd({ alg: "EdDSA", kid: es.jwk.kid }),
			byEd({ alg: "ES256", kid: es.jwk.kid }),
			byEd({ alg: "ES256", kid: ed.jwk.kid }),
			byEd({ alg: "HS256", kid: ed.jwk.kid }),
			byEd({ alg: "EdDSA" }),
			byEd({ alg: "EdDSA", kid: 5 }),
			byEs({ alg: "ES256", kid: ed.jwk.kid }),
			byEs({ alg: "EdDSA", kid: ed.jwk.kid }),
			byEs({ alg: "ES256", kid: "__proto__" }),
			byEs({ alg: "ES256", jwk: es.jwk }),
			byEs({ alg: "ES256", kid: es.jwk.kid, crit: ["b64"], b64: false }),
		])
			expect(await answers(forged), JSON.stringify(read(forged.split(".")[0]))).toBe(invalid);
	});
});

it("keys and proofs of each master key are good on servers that know it, and its public keys are in their set before it signs", async () => {
	const [a, b] = [masterKey, new Uint8Array(32).fill(8)];
	const serverOf = (keys: Uint8Array, ...previousMasterKeys: Uint8Array[]) =>
		createEngine({ ...opened.options, playbackKeyAlgorithm: "ES256", masterKey: keys, previousMasterKeys });
	const [before, announced, changed, after] = [serverOf(a), serverOf(a, b), serverOf(b, a), serverOf(b)];
	const kids = (engine: Engine) => engine.playback.keySet().keys.map(({ kid }) => kid);
	expect(kids(announced)).toEqual([...kids(before), ...kids(after)]);
	expect(kids(changed)).toEqual([...kids(after), ...kids(before)]);
	const kidOf = (token: string) => read(token.split(".")[0])["kid"];
	const [old, next] = [await mint(announced, tenant.principal), await mint(changed, tenant.principal)];
	expect([kids(before).includes(kidOf(old)), kids(after).includes(kidOf(next))]).toEqual([true, true]);
	for (const engine of [announced, changed])
		expect([await answer(engine, old), await answer(engine, next)]).toEqual(["open", "open"]);
	expect([await answer(after, old), await answer(after, next)]).toEqual([invalid, "open"]);
	// Servers on both sides of the change give the same bytes, each signed by its own key.
	const { domainId } = tenant.principal;
	await announced.playback.revoke(tenant.principal, { viewer_ref: "viewer" });
	const feeds = [await announced.playback.edgeFeed(domainId), await changed.playback.edgeFeed(domainId)];
	expect(feeds[0]?.body).toBe(feeds[1]?.body);
	expect(feeds.map(({ proof }) => kidOf(proof))).toEqual([kidOf(old), kidOf(next)]);
	const { viewers } = JSON.parse(feeds[0]?.body ?? "");
	for (const token of [old, next]) expect(viewers).toHaveProperty(read(token.split(".")[1])["viewer"]);
});
