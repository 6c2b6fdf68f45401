import { createBucketOpener } from "@reelmill/storage-s3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { patience } from "./support/patience.ts";
import { openScriptedServer } from "./support/scripted-server.ts";

let server: Awaited<ReturnType<typeof openScriptedServer>>;
beforeEach(async () => {
	server = await openScriptedServer((_, response) => response.writeHead(404).end());
});
afterEach(() => server.close());

const open = (options: Partial<Parameters<typeof createBucketOpener>[0]>, endpoint: string, forcePathStyle = true) =>
	createBucketOpener({ allow: [], ...patience, ...options }).open({
		...server.bucket,
		owner: "tenant",
		endpoint,
		options: { ...server.bucket.options, forcePathStyle },
	});

const refused = { name: "StorageError", fault: "unreachable", message: expect.stringContaining("may not be reached") };

it.each(["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0", "[::1]", "[::ffff:127.0.0.1]", "localhost"])(
	"never connects to a tenant's bucket at %s, whatever it is asked",
	async (host) => {
		const bucket = open({}, `http://${host}:${server.port}`);
		async function* large() {
			yield Buffer.alloc(3_000_000);
		}
		const calls = [
			bucket.outputs.head("a"),
			bucket.outputs.get("a"),
			bucket.outputs.put("a", large()),
			bucket.fetchPresigned(`http://${host}:${server.port}/a`),
		];
		for (const outcome of await Promise.allSettled(calls))
			expect(outcome).toMatchObject({ status: "rejected", reason: refused });
		expect(server.connections()).toBe(0);
		await bucket.close();
	},
);

it("never connects where a name leads to a private address, the bucket's name before the host's included", async () => {
	const asked: string[] = [];
	const lookup = async (name: string) => {
		asked.push(name);
		return ["127.0.0.1"];
	};
	for (const pathStyle of [true, false]) {
		const bucket = open({ lookup }, `http://storage.example.test:${server.port}`, pathStyle);
		await expect(bucket.outputs.head("a")).rejects.toMatchObject(refused);
		await bucket.close();
	}
	expect(asked).toEqual(["storage.example.test", "videos.storage.example.test"]);
	expect(server.connections()).toBe(0);
});

it("connects where the operator allows it, and anywhere for the platform's own buckets", async () => {
	const allowed = open({ allow: ["127.0.0.0/8"] }, `http://127.0.0.1:${server.port}`);
	await expect(allowed.outputs.delete("a")).rejects.toMatchObject({ fault: "failed" });
	await allowed.close();
	const platform = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
	await expect(platform.outputs.delete("a")).rejects.toMatchObject({ fault: "failed" });
	await platform.close();
	expect(server.connections()).toBe(2);
});

it("refuses to be made with an entry that is no range", () => {
	expect(() => createBucketOpener({ allow: ["10.0.0.0/8", "intranet"] })).toThrow('"intranet"');
});
