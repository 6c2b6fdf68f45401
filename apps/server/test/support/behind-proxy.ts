import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { expect } from "vitest";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { freePort } from "../../../../scripts/programs/program.ts";
import { keepsPathsClosed, type Protocol } from "./closed-paths.ts";
import { runServer } from "./running-server.ts";

const mebibyte = 1024 * 1024;
/** The size of the uploads. */
export const size = 12 * mebibyte;

/** A proxy that runs: its address and the certificate by which its own is signed. */
export type RunningProxy = {
	readonly url: string;
	readonly certificate: string;
	stop(): Promise<unknown>;
};
/** What a proxy is started with: a folder of its own, its port on 127.0.0.1, and the server's address. */
export type ProxyPlace = { readonly directory: string; readonly port: number; readonly behind: string };
export type Upload = { readonly id: string; readonly headers: Readonly<Record<string, string>> };
type Sent = RequestOptions & { readonly body?: string | Uint8Array };
type Got = { status: number | undefined; headers: IncomingMessage["headers"]; text: string };

/** Starts a server behind a proxy, and returns what a client does through the proxy. */
export async function startBehind(startProxy: (place: ProxyPlace) => Promise<RunningProxy>) {
	const cleanUp: (() => Promise<unknown>)[] = [];
	const directory = await mkdtemp(join(tmpdir(), "reelmill-proxy-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(database.close);
	const port = await freePort();
	const settings = {
		PORT: String(await freePort()),
		BASE_URL: `https://127.0.0.1:${port}`,
		TRUSTED_PROXIES: "127.0.0.1",
	};
	const server = await runServer(directory, database.url, settings);
	cleanUp.push(async () => {
		server.child.kill("SIGTERM");
		await server.ended;
	});
	const proxy = await startProxy({ directory, port, behind: `127.0.0.1:${settings.PORT}` });
	cleanUp.push(proxy.stop);
	const { auth } = server;

	const open = (path: string, options: RequestOptions) =>
		request(new URL(path, proxy.url), { ca: proxy.certificate, agent: false, ...options });
	async function send(path: string, { body, ...options }: Sent = {}): Promise<Got> {
		const sending = open(path, {
			...options,
			headers: { ...options.headers, ...(body !== undefined && { "content-length": Buffer.byteLength(body) }) },
		});
		sending.end(body);
		const [answer] = (await once(sending, "response")) as [IncomingMessage];
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk as Buffer);
		return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
	}
	const patch = ({ id, headers }: Upload, offset: number, length: number) =>
		open(`/uploads/${id}`, {
			method: "PATCH",
			headers: { ...headers, ...offsetType, "upload-offset": offset, "content-length": length },
		});
	return {
		url: proxy.url,
		certificate: proxy.certificate,
		auth,
		send,
		patch,
		offsetOf: async ({ id, headers }: Upload) =>
			Number((await send(`/uploads/${id}`, { method: "HEAD", headers })).headers["upload-offset"]),
		async createUpload(): Promise<Upload> {
			const created = await send("/v1/videos", {
				method: "POST",
				headers: { ...auth, "content-type": "application/json" },
				body: JSON.stringify({ content_type: "video/mp4", file_size: size }),
			});
			const { video, upload } = JSON.parse(created.text) as CreatedVideo;
			const tus = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
			const creation = { ...tus, "upload-length": String(size), "upload-metadata": metadata(video.id) };
			expect((await send("/uploads", { method: "POST", headers: creation, body: "" })).headers.location).toBe(
				`${proxy.url}/uploads/${video.id}`,
			);
			return { id: video.id, headers: tus };
		},
		/** Sends the first half of the file in one request for the whole, then breaks the line off. */
		async sendHalf(upload: Upload): Promise<void> {
			const sending = patch(upload, 0, size);
			sending.on("error", () => undefined);
			await new Promise((resolve) => sending.write(Buffer.alloc(size / 2, "a"), resolve));
			const closed = new Promise((resolve) => sending.on("close", resolve));
			sending.socket?.end();
			await closed;
		},
		async close(): Promise<void> {
			for (const step of cleanUp.splice(0).reverse()) await step();
		},
	};
}
export type Behind = Awaited<ReturnType<typeof startBehind>>;

/** What the guide's proxies do differently. */
export type Manner = {
	/** What it answers strangers on the operators' paths. */
	readonly refused: number;
	/** The protocol that it agrees on with a client that speaks both. */
	readonly protocol: Protocol;
	/** More than so many bytes of the half that was sent are there after the line broke (default: 4 MiB). */
	readonly kept?: number;
};

/** Holds a proxy to the promises of the guide. */
export async function keepsTheGuidesPromises(
	behind: Behind,
	{ refused, protocol, kept = 4 * mebibyte }: Manner,
): Promise<void> {
	const { auth, send, patch, offsetOf } = behind;
	const upload = await behind.createUpload();
	await behind.sendHalf(upload);
	// All that came is kept; the proxy's own buffer is lost with the line.
	await expect.poll(() => offsetOf(upload)).toBeGreaterThan(kept);
	const offset = await offsetOf(upload);
	const rest = patch(upload, offset, size - offset);
	rest.end(Buffer.alloc(size - offset, "b"));
	const [answer] = (await once(rest, "response")) as [IncomingMessage];
	expect([answer.statusCode, answer.headers["upload-offset"]]).toEqual([204, String(size)]);
	answer.resume();
	const video = JSON.parse((await send(`/v1/videos/${upload.id}`, { headers: auth })).text) as Video;
	expect(["uploaded", "queued"]).toContain(video.state);

	const outside = { localAddress: "127.0.0.2" };
	for (const path of ["/admin/v1/stats", "/internal/v1/jobs/claim"])
		expect((await send(path, outside)).status).toBe(refused);
	expect((await send("/admin/v1/stats")).status).toBe(401);
	await keepsPathsClosed(behind, outside, protocol);
	for (const [path, status] of Object.entries({ "/v1/health": 200, "/docs": 200, "/metrics": 404, "/ready": 404 }))
		expect([path, (await send(path, outside)).status]).toEqual([path, status]);
	expect((await send("/v1/health")).headers["strict-transport-security"]).toBe("max-age=31536000");
	// Each client has its own budget: the proxy's address is trusted.
	for (let count = 0; count < 200; count++) await send("/v1/domain", outside);
	expect([(await send("/v1/domain", outside)).status, (await send("/v1/domain")).status]).toEqual([429, 401]);
}
