import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "./support/service.ts";

type Service = Awaited<ReturnType<typeof openService>>;
type Credentials = Awaited<ReturnType<Service["credentials"]>>;
const clip = randomBytes(3_000_000);
const chooses = (service: Service, { tenant }: Credentials, location: string) =>
	service.ask("/v1/domain/storage", {
		method: "PUT",
		headers: tenant,
		json: { backend: "s3_platform", location_id: location },
	});

describe("a service on SQLite files", () => {
	let service: Service;
	beforeAll(async () => {
		service = await openService();
	});
	afterAll(() => service.close());

	it.each(["the engine's own stores", "a location that the domain chose"])(
		"takes an upload, gives it to a worker and serves its outputs from %s",
		async (where) => {
			const isChosen = where !== "the engine's own stores";
			const credentials = await service.credentials(isChosen ? "chosen" : "own");
			if (isChosen)
				expect(await chooses(service, credentials, "cold")).toMatchObject({
					status: 200,
					json: { location_id: "cold", last_error: null },
				});
			const { tenant, worker: headers } = credentials;
			const id = await service.upload(tenant, clip);
			const source = await service.ask(`/internal/v1/jobs/${id}/source`, {
				headers: { ...headers, range: "bytes=1000000-2000003" },
			});
			expect([source.status, source.headers.get("content-range")]).toEqual([206, "bytes 1000000-2000003/3000000"]);
			expect(source.text).toBe(clip.subarray(1_000_000, 2_000_004).toString());

			const claimed = await service.ask(`/internal/v1/jobs/${id}/claim`, {
				method: "POST",
				headers,
				json: { worker: "w" },
			});
			async function* bytes() {
				yield Buffer.from("an mp4");
			}
			async function* entries() {
				yield { path: "web.mp4", bytes: bytes() };
			}
			const { lock } = claimed.json;
			await service.engine.jobs.replaceOutputs(id, lock, entries());
			const media = { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled", language: null };
			const done = { lock, outputs: { files: ["web.mp4"], renditions: [] }, media };
			expect(
				await service.ask(`/internal/v1/jobs/${id}/complete`, { method: "POST", headers, json: done }),
			).toMatchObject({ json: { state: "available" } });
			expect(await service.ask(`/videos/${id}/web.mp4`)).toMatchObject({ status: 200, text: "an mp4" });
			expect(await service.ask(`/videos/${id}/web.mp4`, { headers: { range: "bytes=-3" } })).toMatchObject({
				status: 206,
				text: "mp4",
			});
			expect(await service.ask(`/internal/v1/jobs/${id}/source`, { headers })).toMatchObject({
				status: 404,
				json: { error: "file_not_found" },
			});
		},
	);

	it("answers storage_unavailable if a location's file is missing, and doesn't change the domain", async () => {
		const credentials = await service.credentials("unlucky");
		expect(await chooses(service, credentials, "missing")).toMatchObject({
			status: 503,
			json: { error: "storage_unavailable" },
		});
		expect(await service.ask("/v1/domain/storage", { headers: credentials.tenant })).toMatchObject({
			json: { backend: "local" },
		});
	});

	it("refuses a bucket of the tenant's own", async () => {
		const { tenant } = await service.credentials("own-bucket");
		const profile = {
			backend: "s3_tenant",
			region: "eu-west-1",
			bucket: "cold",
			access_key_id: "a",
			secret_access_key: "b",
		};
		const answer = await service.ask("/v1/domain/storage", { method: "PUT", headers: tenant, json: profile });
		expect(answer).toMatchObject({ status: 400, json: { error: "storage_verification_failed", step: "connect" } });
		expect(answer.json.message).toContain("Only the platform has storages of this kind");
	});

	it("answers 503 where the engine's own stores fail, and goes on for domains that store elsewhere", async () => {
		const [own, elsewhere] = [await service.credentials("without"), await service.credentials("with")];
		await chooses(service, elsewhere, "cold");
		service.file.close();
		await expect(service.upload(own.tenant, clip)).rejects.toThrow('503: {"error":"storage_unavailable"');
		expect(await service.upload(elsewhere.tenant, clip)).toMatch(/^[0-9a-f-]{36}$/);
	});
});

describe("a service on files that only take bytes", () => {
	let service: Service;
	let credentials: Credentials;
	beforeAll(async () => {
		service = await openService({ writeOnly: true });
		credentials = await service.credentials("tenant");
	});
	afterAll(() => service.close());

	const expectUnsupported = async () => {
		const id = await service.upload(credentials.tenant, clip);
		const video = await service.ask(`/v1/videos/${id}`, { headers: credentials.tenant });
		expect(video.json.state).toBe("queued");
		const source = await service.ask(`/internal/v1/jobs/${id}/source`, { headers: credentials.worker });
		expect(source).toMatchObject({ status: 501, json: { error: "storage_backend_unsupported" } });
	};

	it(
		"takes uploads whole, and answers storage_backend_unsupported to a worker that asks for their source",
		expectUnsupported,
	);

	it("does so in a location, which passes its verification without a read", async () => {
		expect(await chooses(service, credentials, "cold")).toMatchObject({
			status: 200,
			json: { location_id: "cold", last_error: null },
		});
		await expectUnsupported();
	});
});
