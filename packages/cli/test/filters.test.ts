import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { adminKey, initiate, openService, type Service } from "../../http/test/support/open-service.ts";
import { documents, inProcess } from "./support/reelmill.ts";

const id = "5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

describe("filters of lists", () => {
	it.each([
		[
			"videos list --external-ref a --uploader-ref b --state failed --search c --metadata k=v=w",
			"/v1/videos?state=failed&external_ref=a&uploader_ref=b&search=c&metadata_key=k&metadata_value=v%3Dw&include=metadata&limit=21",
		],
		[
			`webhooks list --status failed --type video.ready --video ${id}`,
			`/v1/webhook-deliveries?status=failed&type=video.ready&video_id=${id}&limit=21`,
		],
		["usage --days --from 2026-01-01 --to 2026-01-02", "/v1/usage/days?from=2026-01-01&to=2026-01-02"],
		[`jobs --state running --domain ${id}`, `/admin/v1/jobs?limit=21&state=running&domain_id=${id}`],
		["workers --state gone --limit 5", "/admin/v1/workers?limit=6&state=gone"],
		["failures --counts --from 2026-01-01", "/admin/v1/failures?from=2026-01-01"],
		[
			`failures --reason invalid_media --domain ${id} --to 2026-01-02`,
			`/admin/v1/failures/videos?limit=21&to=2026-01-02&reason=invalid_media&domain_id=${id}`,
		],
	])("%s asks for what it says", async (line, asked) => {
		await using server = await scriptedServer({ status: 200, body: { data: [], next_cursor: null } });
		const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_a", REELMILL_ADMIN_KEY: "admin" };
		expect(await inProcess(environment, ...line.split(" "))).toMatchObject({ code: 0, stderr: "" });
		expect(server.seen.map(({ url }) => url)).toEqual([asked]);
	});

	it("ask a service of an older version for videos without their titles", async () => {
		const message = "include: unknown key";
		await using server = await scriptedServer(
			{ status: 400, body: { error: "validation_error", message } },
			{ status: 200, body: { data: [], next_cursor: null } },
		);
		const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_a" };
		expect(await inProcess(environment, "videos", "list")).toMatchObject({ code: 0, stderr: "" });
		expect(server.seen.map(({ url }) => url)).toEqual(["/v1/videos?include=metadata&limit=21", "/v1/videos?limit=21"]);
		const refusal = await service.send({ path: "/v1/videos?inclued=a", headers: (await service.tenant()).auth });
		expect(refusal.json).toMatchObject({ message: message.replace("include", "inclued") });
	});

	it("find videos by their references, and tell their counts and keys", async () => {
		const { apiKey, auth } = await service.tenant();
		const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey, REELMILL_ADMIN_KEY: adminKey };
		await initiate(service, auth, { external_ref: "a", uploader_ref: "one" });
		const { video } = await initiate(service, auth, { external_ref: "b", uploader_ref: "two" });
		const found = await inProcess(environment, "videos", "list", "--external-ref", "b", "--json");
		expect(documents<{ id: string }>(found.stdout).map((one) => one.id)).toEqual([video.id]);
		expect((await inProcess(environment, "videos", "list", "--uploader-ref", "three", "--json")).stdout).toBe("");
		const named = (...words: string[]) => inProcess(environment, "videos", ...words);
		expect((await named("title", video.id)).stdout).toBe(`Video ${video.id} has no title.\n`);
		expect((await named("metadata", video.id, "course=7b", "formula=a=b")).code).toBe(0);
		expect((await named("title", video.id, "How a cell divides")).stdout).toBe("How a cell divides\n");
		expect((await named("list", "--search", "HOW A", "--metadata", "formula=a=b")).stdout).toContain(
			"How a cell divides",
		);
		const metadata = await named("metadata", video.id, "more=", "--remove", "course", "--remove", "none", "--json");
		expect(JSON.parse(metadata.stdout)).toEqual({
			video_id: video.id,
			title: "How a cell divides",
			values: { formula: "a=b", more: "" },
		});
		expect((await named("title", video.id, "--none")).stdout).toBe(`Video ${video.id} has no title.\n`);
		expect((await named("metadata", video.id, "no value")).stderr).toContain("key=value");
		expect((await inProcess(environment, "videos", "counts")).stdout).toMatch(/pending_upload +2\n/);
		expect((await inProcess(environment, "videos", "timeline", video.id)).stdout).toContain("pending_upload");
		expect((await inProcess(environment, "keys", "list")).stdout).toContain(`...${apiKey.slice(-4)}`);
		expect(await inProcess(environment, "keys", "end", id)).toMatchObject({ code: 1 });
		for (const command of ["queue", "jobs", "workers", "failures"])
			expect(await inProcess(environment, command)).toMatchObject({ code: 0, stderr: "" });
		expect(await inProcess(environment, "storage", "places")).toMatchObject({ code: 0, stderr: "" });
	});
});
