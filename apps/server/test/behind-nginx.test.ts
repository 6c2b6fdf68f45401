import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { freePort, guidesConfiguration, type Nginx, startNginx } from "./support/nginx.ts";
import { runServer } from "./support/running-server.ts";

const mebibyte = 1024 * 1024;
const size = 12 * mebibyte;
const cleanUp: (() => Promise<unknown>)[] = [];
let start: (configuration: string) => Promise<Nginx>;
let nginx: Nginx;
let auth: { readonly authorization: string };

beforeEach(async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-nginx-"));
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
	({ auth } = server);
	start = async (configuration) => {
		nginx = await startNginx(directory, configuration, port, `127.0.0.1:${settings.PORT}`);
		cleanUp.push(nginx.stop);
		return nginx;
	};
});
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

type Sent = RequestOptions & { readonly body?: string | Uint8Array };
const open = (path: string, options: RequestOptions) =>
	request(new URL(path, nginx.url), { ca: nginx.certificate, agent: false, ...options });
async function send(
	path: string,
	{ body, ...options }: Sent = {},
): Promise<{ status: number | undefined; headers: IncomingMessage["headers"]; text: string }> {
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

type Upload = { readonly id: string; readonly headers: Readonly<Record<string, string>> };
async function createUpload(): Promise<Upload> {
	const headers = { ...auth, "content-type": "application/json" };
	const created = await send("/v1/videos", {
		method: "POST",
		headers,
		body: JSON.stringify({ content_type: "video/mp4", file_size: size }),
	});
	const { video, upload } = JSON.parse(created.text) as CreatedVideo;
	const tus = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
	const creation = { ...tus, "upload-length": String(size), "upload-metadata": metadata(video.id) };
	expect((await send("/uploads", { method: "POST", headers: creation, body: "" })).headers.location).toBe(
		`${nginx.url}/uploads/${video.id}`,
	);
	return { id: video.id, headers: tus };
}
const patch = ({ id, headers }: Upload, offset: number, length: number) =>
	open(`/uploads/${id}`, {
		method: "PATCH",
		headers: { ...headers, ...offsetType, "upload-offset": offset, "content-length": length },
	});
const offsetOf = async ({ id, headers }: Upload) =>
	Number((await send(`/uploads/${id}`, { method: "HEAD", headers })).headers["upload-offset"]);

/** Sends the first half of the file in one request for the whole, then breaks the line off. */
async function sendHalf(upload: Upload): Promise<void> {
	const sending = patch(upload, 0, size);
	sending.on("error", () => undefined);
	await new Promise((resolve) => sending.write(Buffer.alloc(size / 2, "a"), resolve));
	const closed = new Promise((resolve) => sending.on("close", resolve));
	sending.socket?.end();
	await closed;
}

describe("behind nginx, as the guide configures it,", () => {
	it("an upload that is cut goes on where it was, and the operators' paths are closed to others", async () => {
		await start(await guidesConfiguration());
		const upload = await createUpload();
		await sendHalf(upload);
		// All that came is kept; the proxy's own buffer is lost with the line.
		await expect.poll(() => offsetOf(upload)).toBeGreaterThan(4 * mebibyte);
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
			expect((await send(path, outside)).status).toBe(403);
		expect((await send("/admin/v1/stats")).status).toBe(401);
		for (const [path, status] of Object.entries({ "/v1/health": 200, "/docs": 200, "/metrics": 404, "/ready": 404 }))
			expect([path, (await send(path, outside)).status]).toEqual([path, status]);
		// Each client has its own budget: the proxy's address is trusted.
		for (let count = 0; count < 200; count++) await send("/v1/domain", outside);
		expect([(await send("/v1/domain", outside)).status, (await send("/v1/domain")).status]).toEqual([429, 401]);
	});
});

describe("behind nginx with its defaults", () => {
	const plain = (more: string) =>
		`upstream reelmill {\n\tserver 127.0.0.1:8787;\n}\nserver {\n\tlisten 443 ssl;\n\tssl_certificate x;\n\tssl_certificate_key x;\n\t${more}\n\tlocation / { proxy_pass http://reelmill; proxy_set_header Host $host; }\n}\n`;

	it("an upload of more than a mebibyte is refused", async () => {
		await start(plain(""));
		const sending = patch(await createUpload(), 0, size);
		sending.on("error", () => undefined);
		sending.flushHeaders();
		const [{ statusCode }] = (await once(sending, "response")) as [IncomingMessage];
		sending.destroy();
		expect(statusCode).toBe(413);
	});

	it("one that is cut begins anew, where only the size is allowed", async () => {
		await start(plain("client_max_body_size 0;"));
		const upload = await createUpload();
		await sendHalf(upload);
		expect(await offsetOf(upload)).toBe(0);
	});
});
