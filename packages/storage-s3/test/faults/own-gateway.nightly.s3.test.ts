import { randomBytes, randomUUID } from "node:crypto";
import { createBucketOpener } from "@reelmill/storage-s3";
import { startTestGateway, type TestGateway } from "@reelmill/storage-s3/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { patience } from "../support/patience.ts";
import { chunks, sendUpload, sha256, sha256Of } from "../support/send-upload.ts";

const file = randomBytes(17_000_000);
const part = (number: number) => ({ method: "PUT", query: { partNumber: String(number) } });

let gateway: TestGateway;
let faulty: Faulty;
let id: string;
beforeAll(async () => {
	gateway = await startTestGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
	faulty = await openFaulty(gateway.server, { remove: false });
	id = randomUUID();
	await faulty.through.uploads.create(id);
});
afterEach(() => faulty.close());

const append = () => faulty.through.uploads.append(id, 0, chunks(file), { limit: file.length });
const stored = async () => {
	const found = await faulty.direct.uploads.read(id);
	return found && sha256Of(found.bytes);
};

describe("a gateway that is killed", () => {
	test("within a part fails the upload as unreachable, and the upload goes on when it is back", async () => {
		const held = faulty.proxy.use({
			when: part(2),
			fault: { kind: "hold", direction: "request", afterBytes: 2_000_000 },
		});
		const failed = storageFailure(append());
		await held.hit();
		await gateway.kill();
		held.release();
		expect((await failed).fault).toBe("unreachable");
		expect((await storageFailure(faulty.direct.uploads.size(id))).fault).toBe("unreachable");
		await gateway.restart();
		expect(await sendUpload(faulty.through.uploads, id, file)).toEqual([]);
		expect(await stored()).toBe(sha256(file));
	});

	test("and comes back while the upload runs lets it end whole, if need be in further appends", async () => {
		const held = faulty.proxy.use({
			when: part(2),
			fault: { kind: "hold", direction: "request", afterBytes: 2_000_000 },
		});
		const sending = sendUpload(faulty.through.uploads, id, file);
		await held.hit();
		await gateway.kill();
		held.release();
		await gateway.restart();
		for (const { fault } of await sending) expect(fault).toBe("unreachable");
		expect(await stored()).toBe(sha256(file));
	});

	test("after it has completed the upload and before it could say so leaves one whole object", async () => {
		const impatient = await openFaulty(gateway.server, { remove: false, idleMilliseconds: 3000 });
		await impatient.direct.uploads.create(id);
		const held = impatient.proxy.use({
			when: { method: "POST", query: { uploadId: true } },
			fault: { kind: "hold", direction: "answer", afterBytes: 0 },
		});
		const appending = impatient.through.uploads
			.append(id, 0, chunks(file), { limit: file.length })
			.catch(() => "failed");
		await held.hit();
		await gateway.kill();
		await appending;
		await gateway.restart();
		expect(await sendUpload(impatient.direct.uploads, id, file)).toEqual([]);
		const found = await impatient.direct.uploads.read(id);
		expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
		await impatient.close();
	});

	test("within a read fails it or goes on with it, and never ends it short", async () => {
		await faulty.direct.outputs.put("v/1/a.mp4", chunks(file));
		const held = faulty.proxy.use({
			when: { method: "GET" },
			times: 1,
			fault: { kind: "hold", direction: "answer", afterBytes: 3_000_000 },
		});
		const read = async () => {
			const found = await faulty.through.outputs.get("v/1/a.mp4");
			return found && sha256Of(found.bytes);
		};
		const reading = read().catch((error: unknown) => error);
		await held.hit();
		await gateway.kill();
		held.release();
		expect(await reading).toMatchObject({ name: "StorageError", fault: "unreachable" });
		await gateway.restart();
		expect(await read()).toBe(sha256(file));
	});
});

describe("credentials that are refused in the middle", () => {
	const ways: readonly [string, (uid: string, accessKey: string) => Promise<unknown>][] = [
		["the key is removed", (_, accessKey) => gateway.admin("key", "rm", `--access-key=${accessKey}`)],
		[
			"the secret is another now",
			(uid, accessKey) =>
				gateway.admin("key", "create", `--uid=${uid}`, `--access-key=${accessKey}`, "--secret-key=anothersecret"),
		],
		["the user is suspended", (uid) => gateway.admin("user", "suspend", `--uid=${uid}`)],
	];

	test.each(ways)(
		"fail the upload with that reason when %s, and it goes on with a key that works",
		async (_, refuse) => {
			const uid = `user-${randomUUID()}`;
			const [accessKeyId, secretAccessKey] = [randomUUID(), randomUUID()];
			await gateway.admin(
				"user",
				"create",
				`--uid=${uid}`,
				"--display-name=tenant",
				`--access-key=${accessKeyId}`,
				`--secret-key=${secretAccessKey}`,
			);
			const own = await openFaulty({ ...gateway.server, accessKeyId, secretAccessKey }, { remove: false });
			await own.through.uploads.create(id);
			const held = own.proxy.use({ when: part(2), fault: { kind: "hold", direction: "request", afterBytes: 1000 } });
			const failed = storageFailure(own.through.uploads.append(id, 0, chunks(file), { limit: file.length }));
			await held.hit();
			await refuse(uid, accessKeyId);
			held.release();
			const { fault, message } = await failed;
			expect(fault).toBe("credentials");
			expect(message).not.toContain(secretAccessKey);
			expect((await storageFailure(own.through.outputs.put("v/1/a.mp4", chunks(file)))).fault).toBe("credentials");
			await gateway.admin("user", "enable", `--uid=${uid}`);
			const fresh = { accessKeyId: randomUUID(), secretAccessKey: randomUUID() };
			await gateway.admin(
				"key",
				"create",
				`--uid=${uid}`,
				`--access-key=${fresh.accessKeyId}`,
				`--secret-key=${fresh.secretAccessKey}`,
			);
			const again = createBucketOpener({ allow: [], ...patience }).open({
				...own.bucket.bucket,
				credentials: { id: fresh.accessKeyId, secret: fresh.secretAccessKey },
			});
			await sendUpload(again.uploads, id, file);
			const found = await again.uploads.read(id);
			expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
			await Promise.all([again.close(), own.close()]);
		},
	);
});

test("a bucket that is gone in the middle fails what runs and what comes, with that reason", async () => {
	const { proxy, through, bucket, close } = await openFaulty(gateway.server, { remove: false });
	await through.uploads.create(id);
	const others = [1, 3, 4].map((number) => proxy.use({ when: part(number), fault: { kind: "pass" } }));
	const held = proxy.use({ when: part(2), fault: { kind: "hold", direction: "request", afterBytes: 0 } });
	const failed = storageFailure(through.uploads.append(id, 0, chunks(file), { limit: file.length }));
	// A part that is stored while the bucket's contents are being removed may be told as lost: the bucket is still there.
	await Promise.all([held, ...others].map((rule) => rule.hit()));
	await gateway.admin("bucket", "rm", `--bucket=${bucket.bucket.bucket}`, "--purge-objects");
	held.release();
	expect((await failed).fault).toBe("bucket");
	for (const attempt of [
		() => through.uploads.create(randomUUID()),
		() => through.uploads.size(id),
		() => through.uploads.read(id),
		() => through.outputs.put("v/1/a", chunks(file.subarray(0, 10))),
		() => through.outputs.get("v/1/a"),
		() => through.outputs.head("v/1/a"),
	]) {
		expect((await storageFailure(attempt())).fault).toBe("bucket");
	}
	await close();
});
