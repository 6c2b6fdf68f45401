import { randomBytes, randomUUID } from "node:crypto";
import { ListMultipartUploadsCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { checked, sumOf } from "../../src/client/body-sum.ts";
import { putChecked, sendPart } from "../../src/client/object-requests.ts";
import { type Observed, openObserved } from "../support/open-observed.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const part = 5 * 1024 * 1024;

let observed: Observed;
let id: string;
beforeEach(async () => {
	observed = await openObserved(inject("s3"), { keyPrefix: "some/prefix" });
	id = randomUUID();
	await observed.uploads.create(id);
});
afterEach(() => observed.close());

it("stores what fits into one part by one request with a body, at the bucket's root, without a prefix", async () => {
	const file = randomBytes(4_999_999);
	const before = observed.bodies.length;
	expect(await observed.uploads.append(id, 0, chunks(file), { limit: file.length })).toBe(file.length);
	expect(observed.bodies.slice(before)).toEqual([{ key: id, part: null, bytes: file.length }]);
	expect(observed.commands).not.toContain("CreateMultipartUploadCommand");
	expect(await observed.bucket.keys()).toEqual([id, `${id}.info`]);
});

it("sends equal parts but for the last, three at once, and holds at most 32 MB of a big upload", async () => {
	const file = randomBytes(12 * part + 1234);
	// The source gives more at once than all buffers hold.
	expect(await observed.uploads.append(id, 0, chunks(file, 7 * part), { limit: file.length })).toBe(file.length);
	const parts = observed.bodies
		.filter((body) => body.part !== null)
		.sort((one, other) => (one.part ?? 0) - (other.part ?? 0));
	expect(parts.map((body) => body.bytes)).toEqual([...Array.from({ length: 12 }, () => part), 1234]);
	expect(observed.most.atOnce).toBe(3);
	expect(observed.most.allocated).toBeLessThanOrEqual(32_000_000);
	const found = await observed.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
});

it("keeps parts equal over appends that end anywhere, and never sends a full part again", async () => {
	const file = randomBytes(4 * part);
	let at = 0;
	for (const length of [1, part - 2, 1, part + 7, 13, 2 * part - 20]) {
		at = await observed.uploads.append(id, at, chunks(file.subarray(at, at + length)), { limit: file.length });
	}
	expect(at).toBe(file.length);
	expect(observed.bodies.filter((body) => body.part !== null).map((body) => [body.part, body.bytes])).toEqual(
		[1, 2, 3, 4].map((number) => [number, part]),
	);
	const found = await observed.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
	expect(await observed.bucket.keys()).toEqual([id, `${id}.info`]);
});

it.each(["md5", "sha256"] as const)(
	"has the server refuse bytes that aren't those of the %s sum that goes with them",
	async (by) => {
		const wrong = { ...checked(Buffer.from("these"), by), sum: sumOf(Buffer.from("those"), by) };
		await expect(putChecked(observed.client, id, wrong, {})).rejects.toMatchObject({
			fault: "failed",
			message: expect.stringContaining("aren't those"),
		});
		await observed.uploads.append(id, 0, chunks(randomBytes(part + 1)), { limit: 3 * part });
		const { Uploads = [] } = await observed.client.send(
			new ListMultipartUploadsCommand({ Bucket: observed.bucket.bucket.bucket }),
		);
		const sending = sendPart(observed.client, id, Uploads[0]?.UploadId ?? "", 1, wrong);
		await expect(sending).rejects.toMatchObject({ fault: "failed", message: expect.stringContaining("aren't those") });
		expect(await observed.uploads.size(id)).toBe(part + 1);
	},
);

it("begins an upload also where the server doesn't know conditional puts", async () => {
	const other = randomUUID();
	observed.refuse = (command) =>
		command instanceof PutObjectCommand && command.input.IfNoneMatch !== undefined
			? Object.assign(new Error("no"), { name: "NotImplemented" })
			: undefined;
	await observed.uploads.create(other);
	expect(await observed.uploads.size(other)).toBe(0);
	await observed.uploads.append(other, 0, chunks(Buffer.from("abc")), { limit: 4 });
	await observed.uploads.create(other);
	expect(await observed.uploads.size(other)).toBe(3);
});

it("refuses an upload of more parts than servers take, before it takes a byte", async () => {
	await expect(
		observed.uploads.append(id, 0, chunks(Buffer.from("x")), { limit: 10_000 * part + 1 }),
	).rejects.toBeInstanceOf(RangeError);
	expect(await observed.uploads.size(id)).toBe(0);
});
