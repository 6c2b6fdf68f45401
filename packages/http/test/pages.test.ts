import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createHandler, createNodeListener, servedElsewhere } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, openService, type Service } from "./support/open-service.ts";
import { type Answer, send } from "./support/send.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
	service.send({ method, path, headers });
const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
const codingOf = ({ headers }: Answer) => (headers["content-encoding"] ?? "identity") as keyof typeof decode;
const audiences = ["/v1/openapi.operators.json", "/v1/openapi.workers.json", "/v1/openapi.console.json"];
const paths = ["/v1/openapi.json", "/v1/openapi.all.json"];
type Document = { info: { version: string }; paths: Record<string, Record<string, { operationId: string }>> };
const documentAt = async (path: string) => (await get(path)).json as Document;
const operationsOf = ({ paths: described }: Document) =>
	Object.values(described).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

describe.each(paths)("%s", (path) => {
	it("comes as the request takes it, each coding under an ETag of its own, the same bytes beneath", async () => {
		const taken = {
			"": "identity",
			br: "br",
			gzip: "gzip",
			"gzip, deflate, br": "br",
			"GZIP;q=1.0, br;q=0.5": "gzip",
			"br;q=0, *": "gzip",
			"*;q=0": "identity",
			"deflate, nonsense;;q=x": "identity",
		};
		const plain = await get(path);
		const etags = new Map<string, string | undefined>();
		for (const [sent, coding] of Object.entries(taken)) {
			const answer = await get(path, sent === "" ? {} : { "accept-encoding": sent });
			expect([sent, answer.status, codingOf(answer)]).toEqual([sent, 200, coding]);
			expect(answer.headers).toMatchObject({
				vary: "Accept-Encoding",
				"cache-control": "public, max-age=300",
				"x-content-type-options": "nosniff",
			});
			expect(answer.headers["content-length"]).toBe(String(answer.bytes.byteLength));
			expect(decode[codingOf(answer)](answer.bytes).equals(plain.bytes)).toBe(true);
			expect(answer.headers.etag).toMatch(/^"[\w-]{22}"$/);
			expect(etags.get(coding) ?? answer.headers.etag).toBe(answer.headers.etag);
			etags.set(coding, answer.headers.etag);
		}
		expect(new Set(etags.values()).size).toBe(3);
		const small = await get(path, { "accept-encoding": "br" });
		expect(small.bytes.byteLength * 5).toBeLessThan(plain.bytes.byteLength);
	});

	it("is not sent again to who has it", async () => {
		for (const coding of ["br", "gzip", "identity"]) {
			const { headers } = await get(path, { "accept-encoding": coding });
			const etag = headers.etag ?? "";
			for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
				const again = await get(path, { "accept-encoding": coding, "if-none-match": named });
				expect([again.status, again.text, again.headers.etag, again.headers.vary]).toEqual([
					304,
					"",
					etag,
					"Accept-Encoding",
				]);
			}
			expect((await get(path, { "accept-encoding": coding, "if-none-match": '"other"' })).status).toBe(200);
		}
		const head = await get(path, { "accept-encoding": "gzip" }, "HEAD");
		expect([head.status, head.text, codingOf(head)]).toEqual([200, "", "gzip"]);
	});

	it("is the same from a Fetch handler, and in no other spelling of its path", async () => {
		const handle = createHandler(service.engine, service.options);
		const sent = await handle(new Request(`https://video.example${path}`, { headers: { "accept-encoding": "gzip" } }));
		expect(gunzipSync(await sent.arrayBuffer()).equals((await get(path)).bytes)).toBe(true);
		const known = new Headers({ "accept-encoding": "gzip", "if-none-match": sent.headers.get("etag") ?? "" });
		expect((await handle(new Request(`https://video.example${path}`, { headers: known }))).status).toBe(304);
		for (const other of [path.replace("open", "%6fpen"), `/${path}`, `${path};x`]) {
			const { status } = await handle(new Request(`https://video.example${other}`));
			expect([other, status]).toEqual([other, 404]);
		}
	});
});

describe("the documents", () => {
	it("have the API's version, and the health the server's", async () => {
		for (const path of ["/v1/openapi.json", "/v1/openapi.all.json", ...audiences])
			expect((await documentAt(path)).info.version).toBe("1.0.0");
		expect((await get("/v1/health")).json).toMatchObject({ version: "1.2.3" });
	});

	it("hold what this build serves: tenants' operations in one, those of every plane in the other", async () => {
		const [tenants, all] = [await documentAt("/v1/openapi.json"), await documentAt("/v1/openapi.all.json")];
		expect(operationsOf(all)).toEqual(
			expect.arrayContaining([...operationsOf(tenants), ...servedElsewhere, "claimJob", "createDomain", "getVideo"]),
		);
		expect(operationsOf(tenants)).toEqual(expect.arrayContaining(["createVideo", "createUpload", "getWebMp4"]));
		expect(Object.keys(tenants.paths).filter((path) => /^\/(internal|admin|console|ready|metrics)/.test(path))).toEqual(
			[],
		);
	});

	it("are apart for operators, for workers and for the console", async () => {
		const planes = await Promise.all(
			audiences.map(async (path) => {
				const { paths: described } = await documentAt(path);
				return [...new Set(Object.keys(described).map((one) => one.split("/")[1]))].sort();
			}),
		);
		expect(planes).toEqual([
			["admin", "metrics", "ready", "v1"],
			["internal", "v1"],
			["admin", "console", "v1"],
		]);
	});
});

describe("the reference", () => {
	const index = '<!doctype html><script type="module" src="docs/assets/app-1a2b.js"></script>';
	let directory: string;
	beforeAll(async () => {
		directory = await mkdtemp(join(tmpdir(), "reelmill-reference-"));
		await mkdir(join(directory, "assets"));
		await writeFile(join(directory, "index.html"), index);
		await writeFile(join(directory, "assets/app-1a2b.js"), "run()");
		await writeFile(join(directory, "assets/app-1a2b.js.br"), "as brotli");
	});
	afterAll(() => rm(directory, { recursive: true }));

	it("is a built page under a policy of its own, with files that are kept for good", async () => {
		const server = createServer(createNodeListener(service.engine, { reference: { directory } }));
		const url = await listen(server);
		const page = await send(url, { path: "/docs" });
		expect([page.status, page.text, page.headers["cache-control"]]).toEqual([200, index, "no-cache"]);
		expect(String(page.headers["content-security-policy"]).split("; ")).toEqual([
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self' 'unsafe-inline'",
			"img-src 'self' blob: data:",
			"media-src blob:",
			"connect-src 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
			"form-action 'none'",
		]);
		const script = await send(url, { path: "/docs/assets/app-1a2b.js", headers: { "accept-encoding": "br" } });
		expect([script.text, script.headers["content-encoding"]]).toEqual(["as brotli", "br"]);
		expect(script.headers).toMatchObject({
			"content-type": expect.stringMatching(/^text\/javascript/),
			"cache-control": "public, max-age=31536000, immutable",
		});
		for (const path of ["/docs/", "/docs/index.html", "/docs/assets/gone.js", "/docs/../index.html"])
			expect(await send(url, { path })).toMatchObject({ status: 404, json: { error: "not_found" } });
		server.close();
	});

	it("is the same from a Fetch handler", async () => {
		const handle = createHandler(service.engine, { reference: { directory } });
		expect(await (await handle(new Request("https://video.example/docs"))).text()).toBe(index);
	});

	it("is a list of the documents on a server without the page", async () => {
		const { status, text, headers } = await get("/docs");
		expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
		expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
		const links = [...text.matchAll(/href="([^"]+)"/g)].map(
			([, href]) => new URL(href ?? "", `${service.url}/docs`).pathname,
		);
		expect(links.sort()).toEqual([...paths, ...audiences].sort());
	});

	it("is missed at once where it was not built", () => {
		expect(() => createNodeListener(service.engine, { reference: { directory: join(directory, "none") } })).toThrow(
			/Was the page built\?/,
		);
	});
});
