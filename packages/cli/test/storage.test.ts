import { createServer } from "node:http";
import type { StorageView } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, openService, type Service } from "../../http/test/support/open-service.ts";
import { adviceFor } from "../src/storage-advice.ts";
import { inProcess, reelmillJson } from "./support/reelmill.ts";

let service: Service;
let environment: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	environment = { REELMILL_URL: service.url, REELMILL_API_KEY: (await service.tenant()).apiKey };
});
afterAll(() => service.close());
const storage = (...args: string[]) => inProcess(environment, "storage", ...args);

describe("storage", () => {
	it("get, set, delete, verify and locations do what they say", async () => {
		const view = await reelmillJson<StorageView>(environment, "storage", "get");
		expect(view).toMatchObject({ backend: "local", version: 1 });
		for (const args of [["set", "backend=local"], ["delete"]])
			expect(JSON.parse((await storage(...args, "--json")).stdout)).toEqual(view);
		expect(JSON.parse((await storage("verify", "backend=local", "--json")).stdout)).toMatchObject({
			steps: ["write", "read", "delete"],
		});
		expect(await storage("locations")).toEqual({ code: 0, stdout: "", stderr: "" });
		expect(await storage("set", "backend=s3_tenant", "bucket=b")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(validation_error)"),
		});
	});

	it("doctor finds the local disk in order", async () => {
		expect(await storage("doctor")).toEqual({
			code: 0,
			stderr: "",
			stdout:
				"ok      reach the server\nok      write an object and an upload\nok      read them back\nok      list and delete them\nThe storage does all that is asked of it.\n",
		});
	});

	it.each([
		[["set", "bucket"], '"bucket" is not of the form'],
		[["verify", "=x"], "not of the form"],
		[["set", "bucket=b"], "Say the backend"],
		[["set"], "missing required argument"],
	])("%j ends with 2 and says what is wrong, but no value", async (args, said) => {
		expect(await storage(...args)).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
		expect((await storage("set", "backend=local", "secret hidden")).stderr).toContain("field=value");
	});
});

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
