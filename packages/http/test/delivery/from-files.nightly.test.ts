import { randomBytes } from "node:crypto";
import { once as event } from "node:events";
import { readdir, readlink, rm, truncate } from "node:fs/promises";
import { Agent, createServer, type IncomingMessage, request as startRequest } from "node:http";
import { createServer as createTlsServer, request as startTlsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { playlistOf } from "@reelmill/engine/testing";
import { createNodeListener, type SendFile } from "@reelmill/http";
import { openSendFile } from "@reelmill/sendfile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimed, completion, listen, once, openService, type Service } from "../support/open-service.ts";
import { send } from "../support/send.ts";
import { sendingLittle } from "../support/send-file.ts";

const MiB = 1024 * 1024;
const media = randomBytes(24 * MiB + 4321);
const files = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": media,
	"og.jpg": Buffer.from("jpg"),
	"web.mp4": media.subarray(0, 200_000),
};

/** Counts what `sendFile` sent. */
function counting(sendFile: SendFile): SendFile & { readonly sent: () => number } {
	let sum = 0;
	const counted: SendFile = (...asked) => {
		const count = sendFile(...asked);
		sum += count;
		return count;
	};
	return Object.assign(counted, { sent: () => sum });
}

const ofSystem = await openSendFile();
const ways = [
	["a little at a time", sendingLittle()] as const,
	...(ofSystem === null ? [] : [["by the system", counting(ofSystem)] as const]),
];

describe.each(ways)("outputs that are sent from their files, %s", (_name, sendFile) => {
	let service: Service;
	let path: string;
	const servers = new Set<ReturnType<typeof createServer>>();
	beforeAll(async () => {
		service = await openService({ sendFile }, () => ({ servingCacheBytes: 0 }));
		path = (await publish()).path;
	});
	afterAll(async () => {
		for (const server of servers) {
			server.closeAllConnections();
			server.close();
		}
		await service.close();
	});

	async function publish(): Promise<{ id: string; path: string; auth: Record<string, string> }> {
		const { auth } = await service.tenant();
		const { id, lock } = await claimed(service, auth, { visibility: "public" });
		const entries = async function* () {
			for (const [name, bytes] of Object.entries(files)) yield { path: name, bytes: once(bytes) };
		};
		await service.engine.jobs.replaceOutputs(id, lock, entries());
		await service.engine.jobs.complete(id, completion(lock, Object.keys(files)));
		return { id, path: `/videos/${id}/media/h264_720.mp4`, auth };
	}
	/** The file of a video's media, to be changed behind the service's back. */
	async function storedFile(id: string): Promise<string> {
		const all = await readdir(service.outputsDirectory, { recursive: true });
		return join(service.outputsDirectory, all.find((name) => name.includes(id) && name.endsWith("h264_720.mp4")) ?? "");
	}
	/** How many files of a video this process has open; others of its files come and go. */
	async function openFiles(id: string): Promise<number> {
		const descriptors = await readdir("/proc/self/fd").catch(() => []);
		const files = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => "")));
		return files.filter((file) => file.includes(id)).length;
	}
	const errors = () => service.logger.entries.filter(({ level }) => level === "error");
	async function connected(): Promise<Socket> {
		const { hostname, port } = new URL(service.url);
		const socket = connect({ host: hostname, port: Number(port) });
		await event(socket, "connect");
		return socket;
	}
	const range = (start: number, length: number) => ({ range: `bytes=${start}-${start + length - 1}` });

	it("answer as those that are read and written", async () => {
		const server = createServer(
			createNodeListener(service.engine, { ...service.options, sendFile: undefined as never }),
		);
		servers.add(server);
		const written = await listen(server);
		const before = sendFile.sent();
		const etag = (await send(written, { path, method: "HEAD" })).headers.etag ?? "";
		for (const asked of [
			{ path },
			{ path, method: "HEAD" },
			{ path, headers: range(1_000_001, 3_000_003) },
			{ path, headers: range(media.length - 300_000, 300_000) },
			{ path, headers: range(5, 10) },
			{ path, headers: { range: `bytes=${media.length}-` } },
			{ path, headers: { "if-none-match": etag } },
			{ path: path.replace("media/h264_720", "web") },
		]) {
			const [one, other] = [await service.send(asked), await send(written, asked)];
			for (const { headers } of [one, other]) for (const name of ["date", "x-request-id"]) delete headers[name];
			expect(one.bytes.equals(other.bytes)).toBe(true);
			expect({ ...one, bytes: null, text: null }).toEqual({ ...other, bytes: null, text: null });
		}
		expect((await service.send({ path })).bytes.equals(media)).toBe(true);
		expect(sendFile.sent() - before).toBeGreaterThan(media.length / 2);
	});

	it("come from memory where they are asked for again and again", async () => {
		const engine = createEngine({ ...service.engineOptions, servingCacheBytes: 4 * MiB });
		const server = createServer(createNodeListener(engine, service.options));
		servers.add(server);
		const url = await listen(server);
		const asked = async () => {
			const before = sendFile.sent();
			expect((await send(url, { path, headers: range(MiB, MiB) })).bytes.equals(media.subarray(MiB, 2 * MiB))).toBe(
				true,
			);
			return sendFile.sent() - before;
		};
		expect(await asked()).toBeGreaterThan(0);
		expect([await asked(), await asked()]).toEqual([0, 0]);
		await engine.stop();
	});

	it("follow each other on one connection", async () => {
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const { hostname, port } = new URL(service.url);
		const sockets = new Set<unknown>();
		for (let index = 0; index < 20; index++) {
			const [start, length] = [index * 777_777, 1_500_000 + index];
			const request = startRequest({ hostname, port, path, headers: range(start, length), agent }).end();
			const [response] = (await event(request, "response")) as [IncomingMessage];
			sockets.add(response.socket);
			const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
			expect(bytes.equals(media.subarray(start, start + length))).toBe(true);
		}
		expect(sockets.size).toBe(1);
		agent.destroy();
	});

	it("come in turn where they are asked for all at once", async () => {
		const socket = await connected();
		const asked = [
			[0, MiB] as const,
			[5, 200_000] as const,
			[MiB, 2 * MiB] as const,
			[7, 20] as const,
			[3 * MiB, MiB] as const,
		];
		const heads = asked.map(
			([start, length]) => `GET ${path} HTTP/1.1\r\nHost: x\r\nRange: ${range(start, length).range}\r\n\r\n`,
		);
		socket.write(heads.join("").replace(/\r\n\r\n$/, "\r\nConnection: close\r\n\r\n"));
		let rest = Buffer.concat((await socket.toArray()) as Buffer[]);
		for (const [start, length] of asked) {
			const end = rest.indexOf("\r\n\r\n") + 4;
			const head = rest.toString("latin1", 0, end);
			expect(head).toMatch(/^HTTP\/1\.1 206 /);
			expect(head).toContain(
				`\r\nContent-Range: bytes ${start}-${start + length - 1}/${media.length}\r\n`.toLowerCase(),
			);
			expect(rest.subarray(end, end + length).equals(media.subarray(start, start + length))).toBe(true);
			rest = rest.subarray(end + length);
		}
		expect(rest.length).toBe(0);
	});

	it("reach a viewer who reads slowly, whole", async () => {
		const request = startRequest(`${service.url}${path}`, { agent: false }).end();
		const [response] = (await event(request, "response")) as [IncomingMessage];
		const parts: Buffer[] = [];
		let sinceRest = 0;
		for await (const part of response as AsyncIterable<Buffer>) {
			parts.push(part);
			sinceRest += part.length;
			if (sinceRest < MiB) continue;
			sinceRest = 0;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		expect(Buffer.concat(parts).equals(media)).toBe(true);
	});

	it("hold no file once their viewers have left midway", async () => {
		const { id, path, auth } = await publish();
		await Promise.all(
			Array.from({ length: 10 }, async () => {
				const socket = await connected();
				socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
				await event(socket, "data");
				socket.destroy();
			}),
		);
		expect((await service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: auth })).status).toBe(204);
		await expect.poll(() => openFiles(id)).toBe(0);
		expect(errors()).toEqual([]);
	});

	it("come whole from a file that is deleted meanwhile", async () => {
		const { id, path } = await publish();
		const request = startRequest(`${service.url}${path}`, { agent: false }).end();
		const [response] = (await event(request, "response")) as [IncomingMessage];
		await rm(await storedFile(id));
		expect(Buffer.concat((await response.toArray()) as Buffer[]).equals(media)).toBe(true);
	});

	it("are cut off where the file ends before its size while it is sent", async () => {
		const { id, path } = await publish();
		const request = startRequest(`${service.url}${path}`, { agent: false }).end();
		const [response] = (await event(request, "response")) as [IncomingMessage];
		await truncate(await storedFile(id), 20 * MiB);
		await expect(response.toArray()).rejects.toThrow("aborted");
		expect(errors()).toHaveLength(1);
	});

	it.each([10 * MiB, 30 * MiB])("aren't sent at all from a file of another size than was stored: %d", async (size) => {
		const { id, path } = await publish();
		await truncate(await storedFile(id), size);
		expect(await service.send({ path })).toMatchObject({ status: 503, json: { error: "storage_unavailable" } });
	});

	it("are encrypted where the connection is", async () => {
		const psk = randomBytes(16);
		const tls = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;
		const server = createTlsServer(
			{ ...tls, pskCallback: () => psk },
			createNodeListener(service.engine, service.options),
		);
		servers.add(server);
		const url = (await listen(server)).replace("http:", "https:");
		const before = sendFile.sent();
		const secret = {
			...tls,
			agent: false,
			pskCallback: () => ({ psk, identity: "viewer" }),
			checkServerIdentity: () => undefined,
		};
		const request = startTlsRequest(`${url}${path}`, secret).end();
		const [response] = (await event(request, "response")) as [IncomingMessage];
		expect(Buffer.concat((await response.toArray()) as Buffer[]).equals(media)).toBe(true);
		expect(sendFile.sent()).toBe(before);
	});

	it("go through what an embedder put in between", async () => {
		const listener = createNodeListener(service.engine, service.options);
		const server = createServer((request, response) => {
			const write = response.write.bind(response);
			response.write = ((chunk: Uint8Array, ...rest: [never]) =>
				write(
					Uint8Array.from(chunk, (byte) => byte ^ 255),
					...rest,
				)) as typeof response.write;
			listener(request, response);
		});
		servers.add(server);
		const { bytes } = await send(await listen(server), { path, headers: range(MiB, MiB) });
		expect(Buffer.from(bytes.map((byte) => byte ^ 255)).equals(media.subarray(MiB, 2 * MiB))).toBe(true);
	});
});
