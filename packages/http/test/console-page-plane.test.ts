import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, openService, type Service } from "./support/open-service.ts";
import { type Answer, send } from "./support/send.ts";

const index = "<!doctype html><title>Console</title>";
const script = "console.log(1)";
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
let directory: string;
let service: Service;
let get: (path: string, headers?: Record<string, string>, method?: string) => Promise<Answer>;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-console-"));
	await mkdir(join(directory, "assets"));
	await writeFile(join(directory, "index.html"), index);
	await writeFile(join(directory, "icon.svg"), "<svg/>");
	await writeFile(join(directory, "assets/app-1a2b.js"), script);
	await writeFile(join(directory, "assets/app-1a2b.js.br"), "as brotli");
	await writeFile(join(directory, "assets/app-1a2b.js.gz"), gzipSync(script));
	await writeFile(join(directory, "..", "reelmill-beside.txt"), "beside");
	service = await openService({ console: { directory } });
	get = (path, headers = {}, method = "GET") => service.send({ method, path, headers });
});
afterAll(async () => {
	await service.close();
	await rm(join(directory, "..", "reelmill-beside.txt"), { force: true });
	await rm(directory, { recursive: true });
});

describe("the console's page", () => {
	it("is one document for every view, asked for anew each time", async () => {
		for (const path of [
			"/console/",
			"/console/videos",
			"/console/videos/x.y?state=failed",
			"/console/operator/queue",
		]) {
			const answer = await get(path);
			expect([answer.status, answer.text]).toEqual([200, index]);
			expect(answer.headers).toMatchObject({
				"content-type": "text/html; charset=utf-8",
				"cache-control": "no-cache",
				"x-content-type-options": "nosniff",
				"referrer-policy": "no-referrer",
				"content-length": String(index.length),
				"x-request-id": expect.any(String),
			});
			const again = await get(path, { "if-none-match": String(answer.headers.etag) });
			expect([again.status, again.text]).toEqual([304, ""]);
			const head = await get(path, {}, "HEAD");
			expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(index.length)]);
		}
	});

	it("keeps its hashed files for good, and sends the copies that the build compressed", async () => {
		const path = "/console/assets/app-1a2b.js";
		const plain = await get(path);
		expect([plain.status, plain.text]).toEqual([200, script]);
		expect(plain.headers).toMatchObject({
			"content-type": expect.stringMatching(/^text\/javascript/),
			"cache-control": "public, max-age=31536000, immutable",
			vary: "Accept-Encoding",
		});
		const small = await get(path, { "accept-encoding": "gzip, br" });
		expect([small.headers["content-encoding"], small.text]).toEqual(["br", "as brotli"]);
		const zipped = await get(path, { "accept-encoding": "gzip" });
		expect([zipped.headers["content-encoding"], zipped.bytes.equals(gzipSync(script))]).toEqual(["gzip", true]);
		expect(new Set([plain, small, zipped].map(({ headers }) => headers.etag)).size).toBe(3);
		const icon = await get("/console/icon.svg", { "accept-encoding": "br" });
		expect(icon.headers).toMatchObject({ "content-type": "image/svg+xml; charset=utf-8", "cache-control": "no-cache" });
		expect(icon.headers["content-encoding"]).toBeUndefined();
	});

	it("runs its own scripts alone, and asks nobody but this installation", async () => {
		const policy = (await get("/console/")).headers["content-security-policy"];
		expect(String(policy).split("; ")).toEqual([
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			`img-src 'self' ${service.url} blob: data:`,
			`media-src 'self' ${service.url} blob:`,
			`connect-src 'self' ${service.url}`,
			"worker-src 'self' blob:",
			"frame-ancestors 'none'",
			"base-uri 'none'",
			"form-action 'none'",
		]);
	});

	it.each(["/console/..%2freelmill-beside.txt", "/console/index.html%00.js"])("is all there is at %s", async (path) => {
		const answer = await get(path);
		expect([answer.status, answer.text]).toEqual([200, index]);
	});

	it.each([
		"/console/../reelmill-beside.txt",
		"/console/%2e%2e/reelmill-beside.txt",
		"/console/..\\reelmill-beside.txt",
		"/console//etc/passwd",
		"/console/./index.html",
		"/console/assets/gone-9z.js",
		"/console/assets/../../reelmill-beside.txt",
		"/console/assets/",
		"/consoles",
	])("is not at %s", async (path) => {
		expect(await get(path, html)).toMatchObject({ status: 404, json: { error: "not_found" } });
	});

	it("leaves the console plane and other methods alone", async () => {
		for (const path of ["/console/v1/nothing", "/console/v1"])
			expect(await get(path, html)).toMatchObject({ status: 404, json: { error: "not_found" } });
		for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
			expect(await get("/console/videos", html, method)).toMatchObject({ status: 404, json: { error: "not_found" } });
	});

	it("is where a browser comes that opens the bare address", async () => {
		expect(await get("/console")).toMatchObject({ status: 308, headers: { location: "/console/" } });
		expect(await get("/", html)).toMatchObject({ status: 302, headers: { location: "/console/", vary: "Accept" } });
		expect(await get("/")).toMatchObject({ status: 404, json: { error: "not_found" } });
		expect(await get("/", html, "POST")).toMatchObject({ status: 404, json: { error: "not_found" } });
	});

	it("is nowhere if the server leaves it out", async () => {
		const server = createServer(createNodeListener(service.engine));
		const url = await listen(server);
		for (const path of ["/", "/console", "/console/", "/console/videos"])
			expect(await send(url, { path, headers: html })).toMatchObject({ status: 404, json: { error: "not_found" } });
		server.close();
	});

	it("is missed at once where it was not built", async () => {
		const empty = await mkdtemp(join(tmpdir(), "reelmill-console-"));
		for (const missing of [empty, join(empty, "none")])
			expect(() => createNodeListener(service.engine, { console: { directory: missing } })).toThrow(
				/Was the page built\?/,
			);
		await rm(empty, { recursive: true });
	});
});
