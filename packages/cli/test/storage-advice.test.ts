import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "../../http/test/support/open-service.ts";
import { adviceFor } from "../src/storage-advice.ts";
import { inProcess } from "./support/reelmill.ts";

describe("the doctor's advice", () => {
	const profile = {
		backend: "s3_tenant",
		endpoint: "https://s3.example.com",
		region: "eu-1",
		bucket: "my.videos",
		force_path_style: false,
	} as const;
	it.each([
		[
			"write",
			"The server refused the signature: the region isn't the bucket's (HTTP 400)",
			/^region: eu-1 may not be the bucket's/,
		],
		["write", "The bucket is in another region, or at another endpoint (HTTP 301)", /^region: /],
		["write", "The clocks of the service and of the server are too far apart (HTTP 403)", /^clock: /],
		["connect", "The endpoint's certificate isn't accepted, or it doesn't speak TLS", /force_path_style=true helps/],
		["connect", "The endpoint took too long to connect to", /^endpoint: .*firewall/],
		["write", "The server's quota is used up (HTTP 403)", /^quota: /],
		["presign", "something that nobody foresaw", /^endpoint: workers and viewers follow presigned addresses/],
		["read", "something that nobody foresaw", /another S3 client/],
	])("for %s (%s) begins with the setting that mends it", (step, message, advice) => {
		expect(adviceFor(profile, { step, message })[0]).toMatch(advice);
	});

	it("says what a player in a page will miss at the public address", async () => {
		const server = createServer((_request, response) => void response.end());
		const address = await listen(server);
		const notes = async (public_base_url: string) => {
			const scripted = createServer((request, response) => {
				request.resume();
				response
					.setHeader("content-type", "application/json")
					.end(JSON.stringify({ verified_at: "2026-01-31T12:00:00.000Z", steps: ["write"] }));
			});
			const url = await listen(scripted);
			const { stdout } = await inProcess(
				{ REELMILL_URL: url, REELMILL_API_KEY: "ek_x" },
				"storage",
				"doctor",
				"backend=s3_tenant",
				`public_base_url=${public_base_url}`,
			);
			scripted.close();
			return stdout;
		};
		expect(await notes(address)).toContain("sends no Access-Control-Allow-Origin");
		expect(await notes("http://127.0.0.1:9")).toContain("can't be reached from here");
		server.close();
	});
});
