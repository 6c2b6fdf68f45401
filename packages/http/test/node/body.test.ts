import { createServer, type Server } from "node:http";
import { createNodeListener, guardServer } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { openRaw, type Raw } from "../support/raw.ts";
import { tusFor } from "../support/tus.ts";

let service: Service;
let server: Server;
let url: string;
beforeAll(async () => {
	service = await openService();
	server = guardServer(
		createServer(createNodeListener(service.engine, { ...service.options, idleTimeoutSeconds: 2 })),
		{ logger: service.logger },
	);
	url = await listen(server);
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await service.close();
});

/**
 * Writes one byte after the other, with pauses far shorter than the idle time, until all are out or the connection is
 * closed. Answers how many went out.
 */
async function drip({ write, isOpen }: Raw, bytes: string): Promise<number> {
	let count = 0;
	for (const byte of bytes) {
		if (!isOpen()) break;
		write(byte);
		count++;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return count;
}

describe("a body that comes byte by byte", () => {
	it("of JSON must be whole within the idle time, for it is small and may come without a credential", async () => {
		const raw = await openRaw(url);
		raw.write(
			"POST /internal/v1/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
		);
		expect(await drip(raw, " ".repeat(1000))).toBeLessThan(900);
		const { status, body } = await raw.answer();
		expect({ status, body: JSON.parse(body) }).toEqual({
			status: 408,
			body: { error: "bad_request", message: "The body took too long." },
		});
	});

	it("of an upload may take as long as it likes", async () => {
		const tus = tusFor(url, await initiate(service, (await service.tenant()).auth, { file_size: 70 }));
		await tus.create({ headers: { "upload-length": "70" } });
		const raw = await openRaw(url);
		const headers = {
			...tus.headers,
			"content-type": "application/offset+octet-stream",
			"upload-offset": "0",
			"content-length": "70",
			connection: "close",
		};
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
		raw.write(`PATCH ${tus.path} HTTP/1.1\r\nHost: a\r\n${lines.join("")}\r\n`);
		const startedAt = performance.now();
		expect(await drip(raw, "x".repeat(70))).toBe(70);
		expect(performance.now() - startedAt).toBeGreaterThan(2000);
		expect(await raw.answer()).toMatchObject({ status: 204, headers: { "upload-offset": "70" } });
	});
});
