import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Job } from "@reelmill/contracts";
import { afterEach, expect, it } from "vitest";
import { createServiceClient } from "../../src/service-client/service-client.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

async function listen(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const job = { id: "0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2b" } as Job;
const noSignal = new AbortController().signal;

/** Opens a service that sends workers to a bucket, and the bucket. */
async function serviceAndBucket(
	owner: string | undefined,
	answer: (headers: IncomingHttpHeaders) => [status: number, body: string] = () => [200, "bytes"],
) {
	const asked: IncomingHttpHeaders[] = [];
	const bucket = await listen((request, response) => {
		asked.push(request.headers);
		const [status, body] = answer(request.headers);
		response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(body);
	});
	const service = await listen((request, response) => {
		if (request.url?.endsWith("/token")) {
			const expires_at = new Date(Date.now() + 3_600_000).toISOString();
			response
				.setHeader("content-type", "application/json")
				.end(JSON.stringify({ token: "service-token", token_type: "Bearer", expires_at }));
		} else
			response
				.writeHead(302, { location: `${bucket}/object?signature=s`, ...(owner && { "reelmill-storage-owner": owner }) })
				.end();
	});
	const viaGuard: string[] = [];
	const fetchFromTenants: typeof fetch = (input, init) => {
		viaGuard.push(String(input));
		return fetch(input, { ...init, redirect: "error" });
	};
	const guarded = createServiceClient({ apiUrl: service, name: "w", secret: "s", fetchFromTenants });
	const unguarded = createServiceClient({ apiUrl: service, name: "w", secret: "s" });
	return { guarded, unguarded, asked, viaGuard, bucket };
}

it("fetches a source from the bucket to which it is sent, with its range and without its token", async () => {
	const { guarded, asked, viaGuard } = await serviceAndBucket("platform", ({ range }) => [
		range === undefined ? 200 : 206,
		`after ${range}`,
	]);
	expect(await (await guarded.source(job, 7, noSignal)).text()).toBe("after bytes=7-");
	const part = await guarded.sourceRange(job, { from: 7, end: 12 }, noSignal, "media/h264_720.mp4");
	expect(await part.text()).toBe("after bytes=7-11");
	expect(asked).toMatchObject([{ range: "bytes=7-" }, { range: "bytes=7-11" }]);
	expect(asked[0]?.authorization).toBeUndefined();
	expect(viaGuard).toEqual([]);
});

it("reaches a tenant's bucket, and one without a named owner, only through the guard", async () => {
	for (const owner of ["tenant", undefined]) {
		const { guarded, viaGuard, bucket } = await serviceAndBucket(owner);
		expect(await (await guarded.source(job, 0, noSignal)).text()).toBe("bytes");
		expect(viaGuard).toEqual([`${bucket}/object?signature=s`]);
	}
});

it("follows no redirect of the bucket, and repeats nothing that it said", async () => {
	for (const [status, said] of [
		[302, "is not reachable"],
		[403, "answered 403"],
	] as const) {
		const { guarded } = await serviceAndBucket("tenant", () => [status, "<Secret>words of the bucket</Secret>"]);
		const error = await guarded.source(job, 0, noSignal).catch((cause: Error) => cause);
		expect((error as Error).message).toContain(said);
		expect((error as Error).message).not.toMatch(/signature|Secret/);
	}
});

it("follows no address of a tenant or of an unnamed owner without a guard", async () => {
	for (const owner of ["tenant", undefined]) {
		const { unguarded, asked } = await serviceAndBucket(owner);
		await expect(unguarded.source(job, 0, noSignal)).rejects.toThrow("made without fetchFromTenants");
		expect(asked).toEqual([]);
	}
	const { unguarded } = await serviceAndBucket("platform");
	expect(await (await unguarded.source(job, 0, noSignal)).text()).toBe("bytes");
});
