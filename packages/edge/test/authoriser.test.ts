import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeAuthoriser } from "@reelmill/edge/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bearer, send } from "../../http/test/support/send.ts";
import { type MadeService, startMadeService } from "./support/made-service.ts";

let service: MadeService;
let url: string;
let passed = 0;
let poll: () => Promise<void>;
let close: () => Promise<unknown>;

beforeAll(async () => {
	service = await startMadeService();
	const authoriser = createNodeAuthoriser({
		service: service.url,
		domains: service.domains.slice(0, 1),
		monotonic: () => passed,
	});
	const server = createServer(authoriser.listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	poll = authoriser.poll;
	close = async () => {
		authoriser.stop();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		await service.close();
	};
});
afterAll(() => close());

const ask = (id: string, key?: string, headers: Record<string, string> = {}) =>
	send(url, { path: `/videos/${id}/web.mp4`, headers: { ...(key !== undefined && bearer(key)), ...headers } });
async function scopeOf(id: string, key?: string, headers = {}) {
	const { status, headers: said } = await ask(id, key, headers);
	expect([status, typeof said["reelmill-edge-scope"]]).toEqual([204, "string"]);
	return said["reelmill-edge-scope"] as string;
}

it("gives viewers of a domain one scope, and others another", async () => {
	const id = service.video();
	const [one, two] = [await service.mint({ viewer: "one" }), await service.mint({ viewer: "two" })];
	const scope = await scopeOf(id, one);
	expect(await scopeOf(id, two)).toBe(scope);
	expect(await scopeOf(service.video(), one)).not.toBe(scope);
	const open = await scopeOf(id);
	const copy = await send(url, { path: `/any/public/${id}/${crypto.randomUUID()}/web.mp4?a=1` });
	expect(copy.headers["reelmill-edge-scope"]).toBe(open);
	expect(await scopeOf(id, "garbage")).toBe(open);
	expect(await scopeOf(id, await service.mint({ ttl: -1 }))).toBe(open);
	expect(new Set([scope, open, await scopeOf(id, await service.mint({ session: "s" }))]).size).toBe(3);
});

it("asks the service for a whole file, and says what may be kept", async () => {
	const [id, open] = [service.video(), service.video({ visibility: "public" })];
	const other = service.video({ visibility: "public", domain: service.domains[1] as string });
	const key = await service.mint();
	const scopes = [await scopeOf(id, key), await scopeOf(id)];
	const keep = async (video: string, scope: string | undefined, by: string | undefined) => {
		const answer = await ask(video, by, { "reelmill-edge-scope": scope as string, range: "bytes=0-1" });
		return [answer.status, answer.headers["reelmill-edge-keep"]];
	};
	expect(await keep(id, scopes[0], key)).toEqual([200, "yes"]);
	expect(await keep(id, scopes[0], "garbage")).toEqual([401, "refusal"]);
	expect(await keep(id, scopes[1], key)).toEqual([401, "refusal"]);
	expect(await keep(open, scopes[1], key)).toEqual([200, "yes"]);
	expect(await keep(open, scopes[0], key)).toEqual([200, "yes"]);
	expect(await keep(other, scopes[1], key)).toEqual([200, "no"]);
	expect(await keep(crypto.randomUUID(), scopes[0], key)).toEqual([401, "refusal"]);
	const answer = await ask(id, key, { "reelmill-edge-scope": "none", range: "bytes=0-1" });
	expect([answer.status, answer.text, answer.headers["reelmill-edge-keep"]]).toEqual([206, "01", undefined]);
});

it("answers itself what depends on pages that the service hasn't allowed, or on a change that is young", async () => {
	const id = service.video();
	const key = await service.mint();
	const origin = "https://app.example.com";
	const before = await scopeOf(id, key);
	service.allowOrigins([origin]);
	for (let round = 0; round < 2; round++) {
		expect((await ask(id, key, { origin: "https://other.example" })).text).toBe("0123456789");
		expect((await ask(id, key, { origin })).status).toBe(round === 0 ? 200 : 204);
	}
	await service.setVisibility(id, "public");
	const statuses: number[] = [];
	for (let second = 0; second < 6; second += 2) {
		passed += 2000;
		service.advance(2);
		await poll();
		statuses.push((await ask(id, key)).status);
	}
	// What the service says of the video is kept 3 s after the change was seen, not before.
	expect(statuses).toEqual([200, 200, 204]);
	expect(await scopeOf(id, key)).not.toBe(before);
});
