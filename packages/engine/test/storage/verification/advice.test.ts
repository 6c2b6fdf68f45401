import { describe, expect, it } from "vitest";
import { adviceFor } from "../../../src/storage/verification/advice.ts";

describe("the advice on a failed round trip", () => {
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

	it("for the service's own disk names its operator", () => {
		expect(adviceFor({ backend: "local" }, { step: "write", message: "x" })).toEqual([
			expect.stringContaining("operator"),
		]);
	});
});
