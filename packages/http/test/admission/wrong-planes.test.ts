import { createHandler } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminKey, initiate, openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

const unknown = "00000000-0000-4000-8000-000000000000";
async function refused(request: Sent, status: number, error: string) {
	const answer = await service.send(request);
	expect({ status: answer.status, json: answer.json }).toEqual({
		status,
		json: { error, message: expect.any(String) },
	});
}

describe("credentials on the wrong plane", () => {
	it("are forbidden on the internal plane if they are genuine, else unauthorized", async () => {
		const { upload } = await initiate(service, auth);
		for (const path of ["/internal/v1/jobs/claim", `/internal/v1/jobs/${unknown}/heartbeat`]) {
			for (const headers of [auth, bearer(upload.token)])
				await refused({ method: "POST", path, headers, json: {} }, 403, "forbidden");
			for (const headers of [{}, bearer(adminKey), bearer("x.y.z")])
				await refused({ method: "POST", path, headers: { ...headers }, json: {} }, 401, "unauthorized");
		}
		await refused({ path: `/internal/v1/jobs/${unknown}/source`, headers: auth }, 403, "forbidden");
		await refused(
			{ method: "PUT", path: "/internal/v1/jobs/x/outputs", headers: bearer(upload.token) },
			403,
			"forbidden",
		);
		await refused({ path: "/internal/v1/jobs/x/source" }, 401, "unauthorized");
	});

	it("see no admin plane with a domain key, and are unauthorized there otherwise", async () => {
		const post = (headers: Record<string, string>) => ({
			method: "POST",
			path: "/admin/v1/domains",
			headers,
			json: { slug: "made" },
		});
		await refused(post(auth), 404, "not_found");
		for (const headers of [{}, bearer("wrong"), bearer(`ek_${"1".repeat(43)}`), await service.serviceAuth()] as Record<
			string,
			string
		>[])
			await refused(post(headers), 401, "unauthorized");
		const created = await service.send(post(bearer(adminKey)));
		expect(created).toMatchObject({
			status: 201,
			json: { domain: { slug: "made" }, api_key: expect.stringMatching(/^ek_/) },
		});
		await refused(post(bearer(adminKey)), 409, "slug_already_exists");
		await refused({ path: "/admin/v1/domains/x", headers: bearer(adminKey) }, 404, "domain_not_found");
		await refused({ path: "/v1/domain", headers: bearer(adminKey) }, 401, "unauthorized");
	});

	it("have no admin plane at all where no admin key is set", async () => {
		const { adminKey: _, ...options } = service.options;
		const answer = await createHandler(
			service.engine,
			options,
		)(new Request(`${service.url}/admin/v1/domains/x`, { headers: bearer("undefined") }));
		expect(answer.status).toBe(401);
	});
});
