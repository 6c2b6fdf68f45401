import type { StorageView } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../../http/test/support/open-service.ts";
import { inProcess, reelmillJson } from "../support/reelmill.ts";

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
				"ok      reach the server\nok      write an object and an upload\nok      read them back\nok      list and delete them\nThe storage works.\n",
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
