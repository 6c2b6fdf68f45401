import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import { connect as connectSecurely, type TLSSocket } from "node:tls";
import { createFakeClock, createRecordingLogger, type FakeClock, type RecordingLogger } from "@reelmill/engine/testing";
import { type GuardOptions, guardServer } from "@reelmill/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../support/open-service.ts";
import { openRaw, type Raw } from "../support/raw.ts";
import { selfSigned } from "../support/self-signed.ts";

let clock: FakeClock;
let logger: RecordingLogger;
const servers: Server[] = [];
beforeEach(() => {
	clock = createFakeClock();
	logger = createRecordingLogger();
});
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

const hello: RequestListener = (_request, response) => void response.end("hello");
const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** A guarded server that answers `hello`. */
async function guarded(options: Partial<GuardOptions> = {}, listener = hello) {
	const server = guardServer(createServer(listener), { logger, clock, ...options });
	servers.push(server);
	let accepted = 0;
	const heard = new Map<number | undefined, Socket>();
	server.on("connection", (socket: Socket) => {
		accepted++;
		heard.set(socket.remotePort, socket);
	});
	const url = await listen(server);
	const openOne = async () => {
		const before = accepted;
		const raw = await openRaw(url);
		await expect.poll(() => accepted).toBe(before + 1);
		return raw;
	};
	const openMany = async (count: number) => {
		const all: Raw[] = [];
		for (let number = 0; number < count; number++) all.push(await openOne());
		return all;
	};
	/** Writes, and resolves once the server has read it. */
	const write = async ({ socket, write }: Raw, text: string) => {
		const there = heard.get(socket.localPort);
		const before = there?.bytesRead ?? 0;
		write(text);
		await expect.poll(() => there?.bytesRead).toBe(before + text.length);
	};
	return { server, url, openOne, openMany, write };
}
const left = (connections: readonly Raw[]) => connections.filter(({ isOpen }) => isOpen()).length;
/** A request on a connection, and its answer. */
async function ask({ socket, write }: Raw, text = get): Promise<string> {
	write(text);
	const [bytes] = (await once(socket, "data")) as [Buffer];
	return bytes.toString();
}
/** Moves the clock on, second by second: the server looks once a second. */
async function pass(seconds: number): Promise<void> {
	for (let second = 0; second < seconds; second++) await clock.advance(1000);
}

describe("a guarded server of TLS", () => {
	const agreed = async (url: string) => {
		const socket = connectSecurely({ host: "127.0.0.1", port: Number(new URL(url).port), rejectUnauthorized: false });
		socket.on("error", () => undefined);
		await once(socket, "secureConnect");
		return socket;
	};

	it("closes a connection without a TLS handshake or a request, and keeps one that was answered", async () => {
		const server = guardServer(createSecureServer(selfSigned, hello), { logger, clock });
		servers.push(server);
		const url = await listen(server);
		const raw = await openRaw(url);
		const [silent, half, kept] = [await agreed(url), await agreed(url), await agreed(url)];
		half.write("GET / HTTP/1.1\r\n");
		kept.write(get);
		expect(String((await once(kept, "data"))[0])).toContain("hello");
		const said = once(half, "data");
		await pass(14);
		expect([raw.isOpen(), silent.closed, half.closed, kept.closed]).toEqual([true, false, false, false]);
		await pass(2);
		expect(String((await said)[0])).toContain("408 Request Timeout");
		await expect.poll(() => [raw.isOpen(), silent.closed, half.closed]).toEqual([false, true, true]);
		await pass(30);
		kept.write(get);
		expect(String((await once(kept, "data"))[0])).toContain("hello");
	});

	it("bounds those of one address that wait", async () => {
		const server = guardServer(createSecureServer(selfSigned, hello), {
			logger,
			clock,
			waitingConnectionsPerAddress: 3,
		});
		servers.push(server);
		const url = await listen(server);
		const all: TLSSocket[] = [];
		for (let number = 0; number < 10; number++) all.push(await agreed(url));
		await expect.poll(() => all.filter(({ closed }) => !closed).length).toBe(3);
	});
});

describe("a guarded server", () => {
	it("closes a silent connection after 15 seconds, and answers 408 to one with half a head", async () => {
		const { openMany, write } = await guarded();
		const [silent, half, dripping] = (await openMany(3)) as [Raw, Raw, Raw];
		await write(half, "GET / HTTP/1.1\r\nHo");
		await write(dripping, "GET / HTTP/1.1\r\n");
		for (let second = 0; second < 14; second++) {
			await pass(1);
			await write(dripping, "a: b\r\n");
		}
		expect(left([silent, half, dripping])).toBe(3);
		await pass(1);
		await expect.poll(() => left([silent, half, dripping])).toBe(0);
		expect(await silent.answer()).toMatchObject({ status: 0 });
		for (const raw of [half, dripping]) {
			const { status, body, headers } = await raw.answer();
			expect({ status, error: JSON.parse(body).error, id: headers["x-request-id"] }).toEqual({
				status: 408,
				error: "bad_request",
				id: expect.any(String),
			});
		}
	});

	it("lets a kept connection wait, but not for half of a second request", async () => {
		const { openMany, write } = await guarded();
		const [waits, half, drips] = (await openMany(3)) as [Raw, Raw, Raw];
		for (const raw of [waits, half, drips]) expect(await ask(raw)).toContain("hello");
		await pass(20);
		expect(left([waits, half, drips])).toBe(3);
		await write(half, "GET / HT");
		// Empty lines before a request are no part of it: Node's parser would take them for ever.
		await write(drips, "\r\n");
		for (let second = 0; second < 15; second++) {
			await pass(1);
			await write(drips, "\r\n");
		}
		expect(left([half, drips])).toBe(2);
		await pass(1);
		await expect.poll(() => left([half, drips])).toBe(0);
		expect(left([waits])).toBe(1);
		expect(await ask(waits)).toContain("hello");
	});

	it("bounds those that wait of one address by closing the oldest, so that the newest are served", async () => {
		const { openMany } = await guarded({ waitingConnectionsPerAddress: 5 });
		const all = await openMany(30);
		await expect.poll(() => left(all)).toBe(5);
		expect(left(all.slice(-5))).toBe(5);
		expect(await ask(all.at(-1) as Raw)).toContain("hello");
		await pass(1);
		expect(logger.entries).toContainEqual(expect.objectContaining({ level: "warn", fields: { connections: 25 } }));
	});

	it("bounds all that wait together, those of a trusted proxy too, which has no bound of its own", async () => {
		const { openMany } = await guarded({
			waitingConnectionsPerAddress: 5,
			waitingConnections: 12,
			trustedProxies: ["127.0.0.1"],
		});
		const all = await openMany(30);
		await expect.poll(() => left(all)).toBe(12);
	});

	it("bounds kept connections as well, and none on which a request is being answered", async () => {
		const waiting: (() => void)[] = [];
		const slow: RequestListener = (request, response) => {
			if (request.url === "/slow") waiting.push(() => response.end("at last"));
			else hello(request, response);
		};
		const { openMany } = await guarded({ waitingConnections: 4 }, slow);
		const busy: Raw[] = [];
		for (let number = 1; number <= 10; number++) {
			const [raw] = (await openMany(1)) as [Raw];
			raw.write(get.replace("/", "/slow"));
			await expect.poll(() => waiting.length).toBe(number);
			busy.push(raw);
		}
		const kept: Raw[] = [];
		for (let number = 0; number < 10; number++) {
			const [raw] = (await openMany(1)) as [Raw];
			expect(await ask(raw)).toContain("hello");
			kept.push(raw);
		}
		await pass(60);
		await expect.poll(() => left(kept)).toBe(4);
		expect(left(busy)).toBe(10);
		const answers = busy.map(({ socket }) => once(socket, "data"));
		for (const answer of waiting) answer();
		for (const answer of answers) expect(String(await answer)).toContain("at last");
	});

	it("leaves connections alone that were upgraded, whenever their listener came", async () => {
		const { server, openOne } = await guarded({ waitingConnections: 2, waitingConnectionsPerAddress: 2 });
		server.on("upgrade", (_request, socket) =>
			socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
		);
		await new Promise((resolve) => process.nextTick(resolve));
		const upgraded: Raw[] = [];
		for (let number = 0; number < 5; number++) {
			const raw = await openOne();
			expect(await ask(raw, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")).toContain("101");
			upgraded.push(raw);
		}
		await pass(60);
		expect(left(upgraded)).toBe(5);
	});

	it("has no limit on a whole request", async () => {
		const { server } = await guarded();
		expect([server.requestTimeout, server.headersTimeout]).toEqual([0, 15_000]);
	});
});
