import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliveredFiles, finished } from "../../http/test/support/finished.ts";
import { comparable } from "./support/comparable.ts";
import { type Asked, asking } from "./support/open-edge.ts";
import { edges, openRealEdge, type RealEdge } from "./support/open-real-edge.ts";

describe.each([
	{ kind: edges.node, algorithm: "ES256" },
	{ kind: edges.node, algorithm: "EdDSA" },
	{ kind: edges.node, algorithm: "HS256" },
	{ kind: edges.nginx, algorithm: "ES256" },
] as const)("an edge of $kind.name before the service, with keys of $algorithm,", ({ kind, algorithm }) => {
	const verifies = algorithm !== "HS256";
	let edge: RealEdge;
	let service: RealEdge["service"];
	let tenant: RealEdge["tenant"];
	let other: RealEdge["other"];
	beforeAll(async () => {
		edge = await openRealEdge({ kind, algorithm });
		({ service, tenant, other } = edge);
	});
	afterAll(() => edge.close());
	const pass = (seconds: number) => edge.pass(seconds);

	const api = (method: string, path: string, json?: unknown, { auth } = tenant) =>
		service.send({ method, path, headers: auth, ...(json !== undefined && { json }) });
	async function mint(more: { viewer_ref?: string; video_ids?: string[]; ttl_seconds?: number } = {}, by = tenant) {
		const { json } = await api("POST", "/v1/playback-keys", { viewer_ref: "ann", ...more }, by);
		return (json as { playback_key: string }).playback_key;
	}
	const ask = (id: string, asked: Asked = {}, file = "web.mp4") => asking(edge.url)(`/videos/${id}/${file}`, asked);
	const askService = (id: string, asked: Asked, file: string) => asking(service.url)(`/videos/${id}/${file}`, asked);
	async function same(id: string, asked: Asked = {}, file = "web.mp4") {
		const answers = [await ask(id, asked, file), await askService(id, asked, file)] as const;
		expect(comparable(answers[0])).toEqual(comparable(answers[1]));
		return answers[0];
	}

	it("gives private files to viewers with good keys, out of its cache where it can verify them", async () => {
		const id = await finished(service, tenant.auth);
		for (const file of Object.keys(deliveredFiles))
			expect((await same(id, { key: await mint() }, file)).status).toBe(200);
		edge.taken();
		for (const file of Object.keys(deliveredFiles))
			expect((await ask(id, { key: await mint({ viewer_ref: "bob" }) }, file)).text).toBe(deliveredFiles[file]);
		expect(edge.taken()).toHaveLength(verifies ? 0 : Object.keys(deliveredFiles).length);
		for (const asked of [
			{ method: "HEAD" },
			{ headers: { range: "bytes=2-4" } },
			{ headers: { range: "bytes=-3" } },
			// nginx answers it by a page of its own, once it has the file.
			...(kind === edges.nginx ? [] : [{ headers: { range: "bytes=10-" } }]),
			{ headers: { "if-none-match": "*" } },
			{ headers: { "if-range": '"x"', range: "bytes=0-1" } },
			{ method: "OPTIONS" },
			{ method: "POST" },
		])
			await same(id, { key: await mint(), ...asked });
	});

	it("refuses all others as the service does", async () => {
		const [id, second] = [await finished(service, tenant.auth), await finished(service, tenant.auth)];
		const good = await mint();
		expect((await ask(id, { key: good })).status).toBe(200);
		const short = await mint({ ttl_seconds: 60 });
		expect((await ask(id, { key: short })).status).toBe(200);
		await pass(61);
		for (const key of [
			undefined,
			"garbage",
			short,
			good.replace(/\.(.)(?=[^.]*$)/, (_, first) => (first === "A" ? ".B" : ".A")),
			await mint({}, other),
			await mint({ video_ids: [second] }),
		])
			for (const video of [id, "00000000-0000-4000-8000-000000000000"])
				expect((await same(video, key === undefined ? {} : { key })).status).toBe(401);
		expect((await same(id, {}, "none.mp4")).status).toBe(401);
		expect((await same(id, { key: good }, "none.mp4")).status).toBe(404);
		expect((await same(id, { key: good }, "x/../web.mp4")).status).toBe(400);
	});

	it("stops a revoked viewer, and everybody after a revoke-all, within 5 s, and takes later keys", async () => {
		const id = await finished(service, tenant.auth);
		const [bad, good] = [await mint({ viewer_ref: "bad" }), await mint({ viewer_ref: "good" })];
		expect((await ask(id, { key: bad })).status).toBe(200);
		await api("POST", "/v1/playback-keys/revoke", { viewer_ref: "bad" });
		const later = await mint({ viewer_ref: "bad" });
		await pass(5);
		expect((await same(id, { key: bad })).status).toBe(401);
		edge.taken();
		expect((await ask(id, { key: good })).status).toBe(200);
		expect(edge.taken()).toHaveLength(verifies ? 0 : 1);
		for (let round = 0; round < 2; round++) {
			edge.taken();
			expect((await ask(id, { key: later })).status).toBe(200);
		}
		await pass(4);
		await ask(id, { key: later });
		edge.taken();
		expect((await ask(id, { key: later })).status).toBe(200);
		expect(edge.taken()).toHaveLength(verifies ? 0 : 1);
		await api("POST", "/v1/playback-keys/revoke-all");
		const last = await mint({ viewer_ref: "bad" });
		await pass(5);
		for (const key of [good, later]) expect((await same(id, { key })).status).toBe(401);
		expect((await ask(id, { key: last })).status).toBe(200);
	});

	it("forgets within 5 s what was deleted or made private, and gives out what was made public", async () => {
		const [deleted, closed] = [await finished(service, tenant.auth), await finished(service, tenant.auth, "public")];
		const key = await mint();
		for (let round = 0; round < 2; round++) {
			expect((await ask(deleted, { key })).status).toBe(200);
			expect((await ask(closed)).status).toBe(200);
		}
		expect((await api("DELETE", `/v1/videos/${deleted}`)).status).toBeLessThan(300);
		expect((await api("PATCH", `/v1/videos/${closed}/visibility`, { visibility: "private" })).status).toBe(200);
		await pass(5);
		expect((await same(deleted, { key })).status).toBe(401);
		expect((await same(closed)).status).toBe(401);
		expect((await same(closed, { key })).status).toBe(200);
		await api("PATCH", `/v1/videos/${closed}/visibility`, { visibility: "public" });
		await pass(5);
		expect((await same(closed)).status).toBe(200);
	});

	it("keeps no public video of a domain that it doesn't follow", async () => {
		const id = await finished(service, other.auth, "public");
		for (let round = 0; round < 2; round++) expect((await ask(id)).status).toBe(200);
		await api("PATCH", `/v1/videos/${id}/visibility`, { visibility: "private" }, other);
		await pass(3);
		expect((await same(id)).status).toBe(401);
	});
});
