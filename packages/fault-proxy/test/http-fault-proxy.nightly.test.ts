import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request as openRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEchoServer, sha256 } from "./support/echo-server.ts";

let server: Awaited<ReturnType<typeof openEchoServer>>;
let proxy: FaultProxy;
beforeEach(async () => {
	server = await openEchoServer();
	proxy = await openFaultProxy({ target: server.url });
});
afterEach(async () => {
	await proxy.close();
	await server.close();
});

const put = (path: string, body: Uint8Array<ArrayBuffer>, init: RequestInit = {}) =>
	fetch(`${proxy.url}${path}`, { method: "PUT", body, ...init });
const bytes = (length: number) => Uint8Array.from(randomBytes(length));

describe("without a rule", () => {
	test("passes 40 MB to the server, and its answer back, unchanged and with the client's own Host", async () => {
		const body = bytes(40_000_000);
		const answer = await put("/a/b?c=d%2Fe", body, { headers: { "x-amz-meta-One": "1" } });
		expect(await answer.text()).toBe(sha256(body));
		expect(server.received).toMatchObject([
			{
				method: "PUT",
				path: "/a/b?c=d%2Fe",
				bytes: body.length,
				headers: { host: new URL(proxy.url).host, "x-amz-meta-one": "1" },
			},
		]);
		expect(answer.headers.get("x-kept")).toBe("one, two");
		expect(proxy.seen).toEqual([
			{
				method: "PUT",
				path: "/a/b?c=d%2Fe",
				answered: 200,
				status: 200,
				requestBytes: body.length,
				answerBytes: 64,
				fault: null,
			},
		]);
	});

	test("answers a HEAD without a body, and a GET with all of it", async () => {
		const head = await fetch(proxy.url, { method: "HEAD" });
		expect([head.headers.get("content-length"), (await head.bytes()).length]).toEqual([
			String(server.content.length),
			0,
		]);
		expect(sha256(await (await fetch(proxy.url)).bytes())).toBe(sha256(server.content));
	});

	test("asks the server before it says 100 Continue", async () => {
		const request = openRequest(proxy.url, { method: "PUT", headers: { expect: "100-continue", "content-length": 3 } });
		request.flushHeaders();
		await once(request, "continue");
		request.end("abc");
		const [answer] = await once(request, "response");
		expect(answer.statusCode).toBe(200);
		answer.resume();
		expect(server.received[0]?.bytes).toBe(3);
	});

	test("reads no faster than the server does", async () => {
		const lazy = createServer(() => undefined);
		await once(lazy.listen(0, "127.0.0.1"), "listening");
		const slow = await openFaultProxy({ target: `http://127.0.0.1:${(lazy.address() as AddressInfo).port}` });
		const request = openRequest(slow.url, { method: "PUT" }).on("error", () => undefined);
		const block = bytes(1_000_000);
		let sent = 0;
		const more = (): boolean =>
			request.write(block, () => {
				sent += block.length;
			});
		for (let count = 0; count < 60; count++) more();
		let before = -1;
		while (before !== sent) {
			before = sent;
			await sleep(300);
		}
		expect(sent).toBeLessThan(30_000_000);
		request.destroy();
		await slow.close();
		lazy.closeAllConnections();
		lazy.close();
	});

	test("passes an answer that comes before the body was read, as when a server refuses a big one", async () => {
		const early = createServer((_, response) => response.writeHead(403).end("no"));
		await once(early.listen(0, "127.0.0.1"), "listening");
		const before = await openFaultProxy({ target: `http://127.0.0.1:${(early.address() as AddressInfo).port}` });
		const request = openRequest(before.url, { method: "PUT", headers: { "content-length": 50_000_000 } }).on(
			"error",
			() => undefined,
		);
		request.write(bytes(1_000_000));
		const [answer] = await once(request, "response");
		expect(answer.statusCode).toBe(403);
		request.destroy();
		await before.close();
		early.closeAllConnections();
		early.close();
	});

	test("outlives a hundred clients that leave in the middle of their answers", async () => {
		for (let time = 0; time < 100; time++) {
			const answer = await fetch(proxy.url);
			for await (const _ of answer.body ?? []) break;
		}
		expect((await fetch(proxy.url, { method: "HEAD" })).status).toBe(200);
	});

	test("cuts the client off when there is no server", async () => {
		await server.close();
		await expect(fetch(proxy.url)).rejects.toThrow();
		expect(proxy.seen).toMatchObject([{ answered: null, status: null }]);
	});
});

describe("a fault", () => {
	test("refuses without the server's knowing, with an error document of S3", async () => {
		proxy.use({ times: 1, fault: { kind: "refuse", status: 503 } });
		const answer = await put("/part", bytes(5_000_000));
		expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/xml"]);
		expect(await answer.text()).toContain("<Code>SlowDown</Code>");
		expect(server.arrived()).toBe(0);
		expect((await put("/part", bytes(10))).status).toBe(200);
	});

	test.each([{ kind: "refuse-after", status: 500 }, { kind: "lose-answer" }] as const)(
		"$kind lets the server do it all, and keeps its answer from the client",
		async (fault) => {
			const rule = proxy.use({ fault });
			const body = bytes(2_000_000);
			const outcome = await put("/part", body).then(
				(answer) => answer.status,
				() => "cut",
			);
			expect(outcome).toBe(fault.kind === "lose-answer" ? "cut" : 500);
			expect(server.received).toMatchObject([{ bytes: body.length, sha256: sha256(body) }]);
			expect(proxy.seen).toMatchObject([
				{ answered: 200, status: fault.kind === "lose-answer" ? null : 500, fault: fault.kind },
			]);
			expect(rule.hits).toBe(1);
		},
	);

	test.each([0, 1, 1_234_567])("cuts a request after %i bytes of its body", async (afterBytes) => {
		proxy.use({ fault: { kind: "cut", direction: "request", afterBytes } });
		await expect(put("/part", bytes(4_000_000))).rejects.toThrow();
		await proxy.close();
		expect(proxy.seen[0]).toMatchObject({ requestBytes: afterBytes, answered: null, status: null });
		expect(server.received).toEqual([]);
	});

	test.each([0, 1, 1_234_567])("cuts an answer after %i bytes of its body", async (afterBytes) => {
		proxy.use({ fault: { kind: "cut", direction: "answer", afterBytes } });
		const answer = await fetch(proxy.url);
		expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(server.content.length)]);
		let got = 0;
		const reading = (async () => {
			for await (const chunk of answer.body ?? []) got += chunk.length;
		})();
		await expect(reading).rejects.toThrow();
		expect(got).toBe(afterBytes);
	});

	test("passes a body whole that is no longer than the place of the fault", async () => {
		const rule = proxy.use({ fault: { kind: "cut", direction: "request", afterBytes: 1000 } });
		expect((await put("/part", bytes(1000))).status).toBe(200);
		expect(rule.hits).toBe(0);
	});

	test.each(["request", "answer"] as const)(
		"holds the %s after some bytes until it is released, and loses none",
		async (direction) => {
			const rule = proxy.use({ fault: { kind: "hold", direction, afterBytes: 700_000 } });
			const body = bytes(3_000_000);
			const answer = direction === "request" ? put("/part", body) : fetch(proxy.url);
			await rule.hit();
			const seen = () => (direction === "request" ? proxy.seen[0]?.requestBytes : proxy.seen[0]?.answerBytes);
			await sleep(50);
			expect(seen()).toBe(700_000);
			rule.release();
			const came = await (await answer).bytes();
			if (direction === "request") expect(server.received[0]?.sha256).toBe(sha256(body));
			else expect(sha256(came)).toBe(sha256(server.content));
		},
	);

	test.each(["request", "answer"] as const)("slows the %s to so many bytes a second", async (direction) => {
		proxy.use({ fault: { kind: "slow", direction, bytesPerSecond: 4_000_000 } });
		const body = bytes(2_000_000);
		const started = performance.now();
		if (direction === "request") await put("/part", body);
		else await (await fetch(proxy.url)).bytes();
		expect(performance.now() - started).toBeGreaterThan(direction === "request" ? 450 : 700);
		expect(server.received).toHaveLength(1);
	});

	test("delays a request", async () => {
		proxy.use({ fault: { kind: "delay", milliseconds: 200 } });
		const started = performance.now();
		expect((await fetch(proxy.url, { method: "HEAD" })).status).toBe(200);
		expect(performance.now() - started).toBeGreaterThan(190);
	});

	test("is silent: takes the request, reads and says nothing, and ends when the client does", async () => {
		const rule = proxy.use({ fault: { kind: "silence" } });
		const abort = new AbortController();
		const waiting = put("/part", bytes(3_000_000), { signal: abort.signal });
		await rule.hit();
		expect(await Promise.race([waiting, sleep(150, "nothing")])).toBe("nothing");
		abort.abort();
		await expect(waiting).rejects.toThrow();
		expect(server.arrived()).toBe(0);
	});
});

describe("a rule", () => {
	test("strikes by method, path and query, the nth that fits, and the first rule decides", async () => {
		const second = proxy.use({
			when: { method: "PUT", path: /^\/bucket\//, query: { partNumber: "2", uploadId: true, acl: false } },
			nth: 2,
			fault: { kind: "refuse", status: 500 },
		});
		proxy.use({
			when: { method: "PUT", query: { partNumber: "2" } },
			fault: { kind: "refuse", status: 403, code: "InvalidAccessKeyId" },
		});
		const statuses: number[] = [];
		for (const path of [
			"/bucket/k?partNumber=1&uploadId=u",
			"/bucket/k?partNumber=2&uploadId=u",
			"/bucket/k?partNumber=2&uploadId=u",
			"/bucket/k?partNumber=2&uploadId=u&acl",
		]) {
			statuses.push((await put(path, bytes(10))).status);
		}
		expect(statuses).toEqual([200, 403, 500, 403]);
		expect(second.hits).toBe(1);
	});

	test("strikes by a share that a given chance decides, and no more once it is removed", async () => {
		const rolls = [0.1, 0.9, 0.49, 0.5];
		const rule = proxy.use({
			chance: { share: 0.5, random: { fraction: () => rolls.shift() ?? 0 } },
			fault: { kind: "refuse", status: 500 },
		});
		const statuses = async (count: number) => {
			const all: number[] = [];
			for (let at = 0; at < count; at++) all.push((await put("/", bytes(1))).status);
			return all;
		};
		expect(await statuses(4)).toEqual([500, 200, 500, 200]);
		rule.remove();
		expect(await statuses(2)).toEqual([200, 200]);
	});

	test("keeps a request waiting until something else has happened", async () => {
		const second = proxy.use({ when: { path: /second/ }, fault: { kind: "pass" } });
		proxy.use({ when: { path: /first/ }, until: second.hit(), fault: { kind: "refuse", status: 500 } });
		const first = put("/first", bytes(10));
		expect(await Promise.race([first, sleep(100, "waits")])).toBe("waits");
		expect((await put("/second", bytes(10))).status).toBe(200);
		expect((await first).status).toBe(500);
	});

	test("tells when so many requests were struck", async () => {
		const rule = proxy.use({ fault: { kind: "pass" } });
		const third = rule.hit(3).then(() => rule.hits);
		for (let at = 0; at < 4; at++) await put("/", bytes(1));
		expect(await third).toBeGreaterThanOrEqual(3);
	});
});

test("closing cuts every connection: held, silent, in the middle and idle ones", async () => {
	const hold = proxy.use({ when: { path: /hold/ }, fault: { kind: "hold", direction: "request", afterBytes: 10 } });
	const silent = proxy.use({ when: { path: /silent/ }, fault: { kind: "silence" } });
	const outcomes = Promise.allSettled([put("/hold", bytes(1_000_000)), put("/silent", bytes(10))]);
	const idle = connect(Number(new URL(proxy.url).port), "127.0.0.1");
	await Promise.all([hold.hit(), silent.hit(), once(idle, "connect")]);
	const gone = once(idle.resume(), "close");
	await Promise.all([proxy.close(), proxy.close()]);
	expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	await gone;
});
