import { connect } from "node:net";
import type { Video } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, openService, type Service } from "./support/open-service.ts";
import { type Answer, send } from "./support/send.ts";
import { metadata, offsetType, type Tus, tusFor } from "./support/tus.ts";

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

const start = async (headers = auth): Promise<Tus> => tusFor(service.url, await initiate(service, headers));
const stateOf = async (id: string): Promise<string> =>
	((await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video).state;
function expectError(answer: Answer, status: number, error: string, extras: object = {}) {
	expect({ status: answer.status, json: answer.json }).toEqual({
		status,
		json: { error, message: expect.any(String), ...extras },
	});
	expect(answer.headers).toMatchObject({
		"access-control-allow-origin": "*",
		"x-request-id": expect.any(String),
		"cache-control": "no-store",
	});
}

describe("a tus upload", () => {
	it("goes in pieces, and its last answer comes after the state change", async () => {
		const tus = await start();
		const created = await tus.create();
		const expires = new Date(service.clock.now() + 3_600_000).toUTCString();
		expect(created).toMatchObject({
			status: 201,
			text: "",
			headers: { location: `${service.url}/uploads/${tus.id}`, "tus-resumable": "1.0.0", "upload-expires": expires },
		});
		expect(await tus.head()).toMatchObject({
			status: 200,
			headers: { "upload-offset": "0", "upload-length": "10", "cache-control": "no-store", "upload-expires": expires },
		});
		expect(await tus.patch(0, "0123")).toMatchObject({
			status: 204,
			headers: { "upload-offset": "4", "upload-expires": expires },
		});
		expect(await tus.head()).toMatchObject({
			status: 200,
			headers: { "upload-offset": "4", "upload-metadata": metadata(tus.id) },
		});
		expect(await stateOf(tus.id)).toBe("pending_upload");
		const last = await tus.patch(4, "456789");
		expect(last).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
		expect(last.headers).not.toHaveProperty("upload-expires");
		expect(["uploaded", "queued"]).toContain(await stateOf(tus.id));
		expect(await tus.head()).toMatchObject({
			status: 409,
			text: "",
			headers: { "upload-complete": "?1", "upload-end": "finished" },
		});
		expectError(await tus.patch(10, ""), 409, "upload_not_pending", { upload_complete: true, upload_end: "finished" });
		expectError(await tus.create(), 409, "upload_not_pending", { upload_complete: true, upload_end: "finished" });
	});

	it("is unknown once its row is gone, as after a failover", async () => {
		const tus = await start();
		await tus.create();
		await tus.patch(0, "0123456789");
		await service.database.query({ text: "delete from reelmill.videos where id = $1", values: [tus.id] });
		expect(await tus.head()).toMatchObject({ status: 404, text: "" });
		expectError(await tus.patch(10, ""), 404, "video_not_found");
		expectError(await tus.create(), 404, "video_not_found");
	});

	it("that is over tells a page of any origin whether every byte came through", async () => {
		const tus = await start();
		await tus.create();
		await tus.send({ method: "DELETE" });
		const { headers } = await tus.head();
		expect(headers).toMatchObject({
			"upload-complete": "?0",
			"upload-end": "cancelled",
			"access-control-expose-headers": expect.stringContaining("Upload-Complete, Upload-End"),
		});
	});

	it("can bring all its bytes with the creation", async () => {
		const tus = await start();
		const created = await tus.create({ headers: offsetType, body: "0123456789" });
		expect(created).toMatchObject({
			status: 201,
			headers: { "upload-offset": "10", location: `${service.url}/uploads/${tus.id}` },
		});
		expect(["uploaded", "queued"]).toContain(await stateOf(tus.id));
	});

	it("is the same upload when created again, with all the bytes that came", async () => {
		const tus = await start();
		await tus.create({ headers: offsetType, body: "0123" });
		expect(await tus.create()).toMatchObject({
			status: 201,
			headers: { location: `${service.url}/uploads/${tus.id}` },
		});
		expect((await tus.head()).headers["upload-offset"]).toBe("4");
		expect(await tus.create({ headers: offsetType, body: "0123456789" })).toMatchObject({
			status: 201,
			headers: { "upload-offset": "4" },
		});
		expect(await tus.patch(4, "456789")).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
	});

	it("is cancelled by its termination", async () => {
		const tus = await start();
		await tus.create();
		expect(await tus.send({ method: "DELETE" })).toMatchObject({ status: 204, text: "" });
		expect(await stateOf(tus.id)).toBe("cancelled");
		expectError(await tus.patch(0, "0"), 409, "upload_not_pending", {
			upload_complete: false,
			upload_end: "cancelled",
		});
	});

	it("understands X-HTTP-Method-Override, and headers that proxies add", async () => {
		const tus = await start();
		await tus.create({ headers: { "x-forwarded-proto": "https, http", "tus-version": "0.2.2" } });
		expect(
			await tus.send({
				method: "POST",
				headers: { "x-http-method-override": "PATCH", "upload-offset": "0", ...offsetType },
				body: "01234",
			}),
		).toMatchObject({ status: 204, headers: { "upload-offset": "5" } });
		expect(await tus.send({ method: "POST", headers: { "x-http-method-override": "HEAD" } })).toMatchObject({
			status: 200,
			headers: { "upload-offset": "5" },
		});
	});

	it("learns of a window that has passed from the state, and not as a bad token", async () => {
		const own = await openService();
		const tus = tusFor(own.url, await initiate(own, (await own.tenant()).auth));
		await tus.create();
		await own.clock.advance(3_601_000);
		await own.engine.sweep();
		expectError(await tus.patch(0, "0"), 409, "upload_not_pending", { upload_complete: false, upload_end: "expired" });
		await own.close();
	});
});

describe("the upload plane refuses", () => {
	it("a creation that names no video, another one, or another length", async () => {
		const tus = await start();
		const other = await start();
		expectError(
			await tus.send({ method: "POST", path: "/uploads", headers: { "upload-length": "10" } }),
			400,
			"missing_video_id",
		);
		expectError(await tus.create({ headers: { "upload-metadata": "filename eC5tcDQ=" } }), 400, "missing_video_id");
		expectError(await tus.create({ headers: { "upload-metadata": metadata(other.id) } }), 401, "unauthorized");
		expectError(await tus.create({ headers: { "upload-length": "11" } }), 400, "size_mismatch");
		const { "tus-resumable": version, authorization } = tus.headers;
		const deferred = {
			"tus-resumable": `${version}`,
			authorization: `${authorization}`,
			"upload-defer-length": "1",
			"upload-metadata": metadata(tus.id),
		};
		expectError(await send(service.url, { method: "POST", path: "/uploads", headers: deferred }), 400, "size_mismatch");
		expectError(await tus.create({ headers: { "upload-length": "-1" } }), 400, "bad_request");
		expectError(await tus.create({ headers: { "upload-metadata": "video_id !!" } }), 400, "bad_request");
		expect((await tus.create()).status).toBe(201);
	});

	it("chunks of another offset, type or length, and any before the creation", async () => {
		const tus = await start();
		expectError(await tus.patch(0, "0"), 404, "not_found");
		expect((await tus.head()).status).toBe(404);
		await tus.create();
		await tus.patch(0, "01234");
		expectError(await tus.patch(0, "0"), 409, "bad_request");
		expectError(await tus.patch(6, "6"), 409, "bad_request");
		expectError(await tus.patch(5, "567890"), 400, "size_mismatch");
		expectError(await tus.patch(5, "567890", { "transfer-encoding": "chunked" }), 400, "size_mismatch");
		expectError(await tus.patch(5, "56", { "content-type": "video/mp4" }), 415, "bad_request");
		expectError(await tus.patch(5, "56", { "upload-offset": "05" }), 400, "bad_request");
		expectError(await tus.patch(5, "56", { "upload-length": "10" }), 400, "bad_request");
		expectError(await tus.patch(5, "56", { "tus-resumable": "0.2.2" }), 412, "bad_request");
		expect((await tus.head()).headers["upload-offset"]).toBe("5");
		expect(await tus.patch(5, "56789")).toMatchObject({ status: 204 });
	});

	it("the raw file to everyone, also once it is whole", async () => {
		const tus = await start();
		await tus.create({ headers: offsetType, body: "0123456789" });
		expectError(await tus.send({ method: "GET" }), 404, "not_found");
		expectError(await send(service.url, { path: tus.path }), 401, "unauthorized");
		expectError(await tus.send({ method: "PUT", body: "x" }), 404, "not_found");
		expectError(await tus.send({ method: "POST" }), 404, "not_found");
		expect((await tus.send({ method: "HEAD", path: "/uploads" })).status).toBe(404);
	});

	it("anything without its token, before looking further", async () => {
		const tus = await start();
		const other = await start();
		for (const headers of [{}, { authorization: "Bearer x" }, auth] as Record<string, string>[]) {
			for (const method of ["POST", "PATCH", "DELETE", "GET"])
				expectError(await send(service.url, { method, path: "/uploads/x", headers }), 401, "unauthorized");
		}
		expectError(
			await tus.send({
				method: "PATCH",
				path: other.path,
				headers: { ...offsetType, "upload-offset": "0" },
				body: "0",
			}),
			401,
			"unauthorized",
		);
	});

	it.each(["/uploads/x", "/v1/videos", "/internal/v1/jobs/x/outputs", "/videos/x/y"])(
		"a large body on %s early, and its sender hears why, even one that reads only when all is sent",
		async (path) => {
			const { hostname, port } = new URL(service.url);
			const socket = connect(Number(port), hostname).pause();
			let text = "";
			socket.on("data", (data) => {
				text += data.toString();
			});
			const closed = new Promise((resolve) => socket.on("close", resolve).on("error", resolve));
			socket.write(`PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 5000000\r\n\r\n`);
			socket.write(Buffer.alloc(5_000_000), () => socket.resume());
			await closed;
			expect(text).toMatch(/^HTTP\/1\.1 40[14] /);
			expect(text.toLowerCase()).toContain("connection: close");
		},
	);

	it("a large body early, so that its sender hears why and the connection ends", async () => {
		const headers = { "tus-resumable": "1.0.0", "upload-offset": "0", connection: "keep-alive", ...offsetType };
		const answer = await send(service.url, {
			method: "PATCH",
			path: "/uploads/x",
			headers,
			body: Buffer.alloc(20_000_000),
		});
		expectError(answer, 401, "unauthorized");
		expect(answer.headers.connection).toBe("close");
	});
});

describe("browsers on the upload plane", () => {
	it("get a preflight answered for any origin, without a token", async () => {
		const answer = await send(service.url, {
			method: "OPTIONS",
			path: "/uploads/any",
			headers: { origin: "https://x.example", "access-control-request-method": "PATCH" },
		});
		expect(answer).toMatchObject({
			status: 204,
			headers: { "access-control-allow-origin": "*", "access-control-max-age": "7200", "tus-version": "1.0.0" },
		});
		expect(answer.headers["access-control-allow-methods"]).toContain("PATCH");
		for (const name of ["Authorization", "Upload-Offset", "Tus-Resumable", "Content-Type"])
			expect(answer.headers["access-control-allow-headers"]).toContain(name);
	});

	it("may read the answers from the origins that the domain lists, or from any where it lists none", async () => {
		const { auth: listed } = await service.tenant({ cors_origins: ["https://a.example"] });
		const tus = await start(listed);
		const from = (origin: string) => tus.create({ headers: { origin } });
		expect((await from("https://a.example")).headers).toMatchObject({
			"access-control-allow-origin": "https://a.example",
			vary: "Origin",
		});
		expect((await from("https://b.example")).headers).not.toHaveProperty("access-control-allow-origin");
		const open = await start();
		const answer = await open.create({ headers: { origin: "https://b.example" } });
		expect(answer.headers["access-control-allow-origin"]).toBe("*");
		for (const name of ["Location", "Upload-Offset", "Upload-Expires", "X-Request-Id"])
			expect(answer.headers["access-control-expose-headers"]).toContain(name);
	});
});
