import { randomBytes, randomUUID } from "node:crypto";
import {
	AbortMultipartUploadCommand,
	CompleteMultipartUploadCommand,
	CreateMultipartUploadCommand,
	ListMultipartUploadsCommand,
	PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { checked, sumOf } from "../../src/client/body-sum.ts";
import { sendPart } from "../../src/client/object-requests.ts";
import { completeUpload } from "../../src/uploads/complete-upload.ts";
import { findUpload } from "../../src/uploads/upload-state.ts";
import { isCompletion, type Observed, openObserved } from "../support/open-observed.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const part = 5 * 1024 * 1024;
const file = randomBytes(3 * part + 999);

let observed: Observed;
let id: string;
let name: { readonly Bucket: string; readonly Key: string };
beforeEach(async () => {
	observed = await openObserved(inject("s3"));
	id = randomUUID();
	name = { Bucket: observed.bucket.bucket.bucket, Key: id };
	await observed.uploads.create(id);
});
afterEach(() => observed.close());

const append = (from: number, to = file.length) =>
	observed.uploads.append(id, from, chunks(file.subarray(from, to)), { limit: file.length });
const multiparts = async () =>
	(await observed.client.send(new ListMultipartUploadsCommand({ Bucket: name.Bucket }))).Uploads ?? [];

async function expectWhole(): Promise<void> {
	const found = await observed.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
}

it("begins anew when a rule of the bucket has removed the parts of an incomplete upload", async () => {
	await append(0, 2 * part + 10);
	for (const { UploadId } of await multiparts())
		await observed.client.send(new AbortMultipartUploadCommand({ ...name, UploadId }));
	expect(await observed.uploads.size(id)).toBe(0);
	expect(await append(0)).toBe(file.length);
	await expectWhole();
});

it("never goes on from a tail whose bytes aren't those that were stored", async () => {
	await append(0, part + 100);
	const key = (await observed.bucket.keys()).find((each) => each.endsWith(".part")) ?? "";
	const Metadata = {
		base: String(part),
		multipart: (await multiparts())[0]?.UploadId ?? "",
		limit: String(file.length),
		md5: sumOf(Buffer.from("stored"), "md5").toString("hex"),
	};
	await observed.client.send(new PutObjectCommand({ Bucket: name.Bucket, Key: key, Body: randomBytes(100), Metadata }));
	await expect(append(part + 100)).rejects.toMatchObject({ name: "StorageError", fault: "failed" });
	expect(await observed.uploads.read(id)).toBeNull();
});

it("isn't whole, nor of its full size, while all parts are there but the completion is not", async () => {
	observed.refuse = (command) =>
		isCompletion(command) ? Object.assign(new Error("no"), { $metadata: { httpStatusCode: 500 } }) : undefined;
	const even = file.subarray(0, 3 * part);
	await expect(observed.uploads.append(id, 0, chunks(even), { limit: even.length })).rejects.toMatchObject({
		fault: "failed",
	});
	expect(await observed.uploads.size(id)).toBe(2 * part);
	expect(await observed.uploads.read(id)).toBeNull();
	observed.refuse = () => undefined;
	expect(await observed.uploads.append(id, 2 * part, chunks(even.subarray(2 * part)), { limit: even.length })).toBe(
		even.length,
	);
	const found = await observed.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(even));
});

it.each([
	{ what: "another size", size: 7, byMd5: false, etag: undefined },
	{ what: "another sum", size: 8, byMd5: true, etag: `"${sumOf(Buffer.from("other"), "md5").toString("hex")}"` },
])("removes a completed object of $what than what was sent, and says so", async ({ size, byMd5, etag }) => {
	const upload = await findUpload(observed.client, id);
	if (upload === null) throw new Error("no upload");
	const { UploadId = "" } = await observed.client.send(
		new CreateMultipartUploadCommand({ ...name, Metadata: { generation: upload.generation } }),
	);
	const bytes = randomBytes(8);
	const sent = await sendPart(observed.client, id, UploadId, 1, checked(bytes, "sha256"));
	if (etag !== undefined) {
		await observed.client.send(
			new CompleteMultipartUploadCommand({
				...name,
				UploadId,
				MultipartUpload: { Parts: [{ PartNumber: 1, ETag: sent.etag }] },
			}),
		);
	}
	const parts = [{ ...sent, ...(etag !== undefined && { etag }) }];
	const lastLook = () => AbortSignal.timeout(2000);
	await expect(
		completeUpload(observed.client, upload, { multipart: UploadId, parts, size, byMd5, lastLook }),
	).rejects.toMatchObject({
		fault: "failed",
		message: expect.stringContaining("removed"),
	});
	expect(await observed.bucket.keys()).toEqual([`${id}.info`]);
	expect(await observed.uploads.size(id)).toBe(0);
});

it("leaves nothing of a discarded upload: info, tail, parts, object, and starts with lost answers", async () => {
	for (let time = 0; time < 3; time++) await observed.client.send(new CreateMultipartUploadCommand(name));
	await append(0, 2 * part + 10);
	expect((await observed.bucket.unfinished()).length).toBe(4);
	await observed.uploads.discard(id);
	expect([await observed.bucket.keys(), await observed.bucket.unfinished()]).toEqual([[], []]);
	await observed.uploads.create(id);
	expect(await append(0)).toBe(file.length);
	await observed.uploads.discard(id);
	expect([await observed.bucket.keys(), await observed.bucket.unfinished()]).toEqual([[], []]);
});

it("keeps off what others have in the bucket: it lists, reads and removes nothing but uploads", async () => {
	const foreign = [`${randomUUID()}.info`, `${id}.txt`, "photo.jpg", `${id}.info/inner`];
	for (const Key of foreign)
		await observed.client.send(new PutObjectCommand({ Bucket: name.Bucket, Key, Body: Buffer.from("theirs") }));
	expect(await Array.fromAsync(observed.uploads.list())).toEqual([{ id, size: 0 }]);
	expect(await observed.uploads.size((foreign[0] ?? "").replace(".info", ""))).toBeNull();
	await observed.uploads.discard(id);
	expect(await observed.bucket.keys()).toEqual([...foreign].sort());
});
