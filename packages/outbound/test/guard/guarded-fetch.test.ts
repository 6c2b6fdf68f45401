import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BlockedAddressError, createGuardedFetch } from "@reelmill/outbound";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const requests: string[] = [];
const server = createServer((request, response) => {
	requests.push(request.url ?? "");
	if (request.url === "/away") response.writeHead(302, { location: "/" }).end();
	else response.end("here");
});
let port: number;
beforeAll(async () => {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

describe("a guarded fetch", () => {
	it("reaches no address that isn't allowed, in whatever form it is written or found", async () => {
		const guarded = createGuardedFetch({ allow: [], lookup: async () => ["127.0.0.1"] });
		for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "bucket.example.test"]) {
			const error = await guarded.fetch(`http://${host}:${port}/`).catch((cause: unknown) => cause);
			expect((error as Error).cause).toBeInstanceOf(BlockedAddressError);
		}
		expect(requests).toEqual([]);
		await guarded.close();
	});

	it("reaches what is allowed, and follows no redirect", async () => {
		const guarded = createGuardedFetch({ allow: ["127.0.0.0/8"] });
		const response = await guarded.fetch(`http://127.0.0.1:${port}/`);
		expect(await response.text()).toBe("here");
		await expect(guarded.fetch(`http://127.0.0.1:${port}/away`)).rejects.toThrow("fetch failed");
		expect(requests).toEqual(["/", "/away"]);
		await guarded.close();
	});

	it("names a range that is none", () => {
		expect(() => createGuardedFetch({ allow: ["nonsense"] })).toThrow(/nonsense/);
	});
});
