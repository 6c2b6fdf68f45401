import { randomBytes, randomUUID } from "node:crypto";
import {
	AbortMultipartUploadCommand,
	CompleteMultipartUploadCommand,
	CreateMultipartUploadCommand,
	ListMultipartUploadsCommand,
	PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { checked, sumOf } from "../../src/body-sum.ts";
import { completeUpload } from "../../src/upload-finish.ts";
import { sendPart } from "../../src/upload-requests.ts";
import { findUpload } from "../../src/upload-state.ts";
import { chunks, sha256, sha256Of } from "../faults/support/send-upload.ts";
import { isCompletion, openWatched, type Watched } from "./open-watched.ts";

const part = 5 * 1024 * 1024;
const file = randomBytes(3 * part + 999);

let watched: Watched;
let id: string;
let name: { readonly Bucket: string; readonly Key: string };
beforeEach(async () => {
	watched = await openWatched(inject("s3"));
	id = randomUUID();
	name = { Bucket: watched.bucket.bucket.bucket, Key: id };
	await watched.uploads.create(id);
});
afterEach(() => watched.close());

const append = (from: number, to = file.length) =>
	watched.uploads.append(id, from, chunks(file.subarray(from, to)), { limit: file.length });
const multiparts = async () =>
	(await watched.client.send(new ListMultipartUploadsCommand({ Bucket: name.Bucket }))).Uploads ?? [];

async function expectWhole(): Promise<void> {
	const found = await watched.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(file));
}

it("begins anew when the bucket has thrown the parts away, as a rule for incomplete multipart uploads makes it", async () => {
	await append(0, 2 * part + 10);
	for (const { UploadId } of await multiparts())
		await watched.client.send(new AbortMultipartUploadCommand({ ...name, UploadId }));
	expect(await watched.uploads.size(id)).toBe(0);
	expect(await append(0)).toBe(file.length);
	await expectWhole();
});

it("never goes on from a tail whose bytes aren't those that were stored", async () => {
	await append(0, part + 100);
	const key = (await watched.bucket.keys()).find((each) => each.endsWith(".part")) ?? "";
	const Metadata = {
		base: String(part),
		multipart: (await multiparts())[0]?.UploadId ?? "",
		limit: String(file.length),
		md5: sumOf(Buffer.from("stored"), "md5").toString("hex"),
	};
	await watched.client.send(new PutObjectCommand({ Bucket: name.Bucket, Key: key, Body: randomBytes(100), Metadata }));
	await expect(append(part + 100)).rejects.toMatchObject({ name: "StorageError", fault: "failed" });
	expect(await watched.uploads.read(id)).toBeNull();
});

it("isn't whole, nor of its full size, while all parts are there but the completion is not", async () => {
	watched.refuse = (command) =>
		isCompletion(command) ? Object.assign(new Error("no"), { $metadata: { httpStatusCode: 500 } }) : undefined;
	const even = file.subarray(0, 3 * part);
	await expect(watched.uploads.append(id, 0, chunks(even), { limit: even.length })).rejects.toMatchObject({
		fault: "failed",
	});
	expect(await watched.uploads.size(id)).toBe(2 * part);
	expect(await watched.uploads.read(id)).toBeNull();
	watched.refuse = () => undefined;
	expect(await watched.uploads.append(id, 2 * part, chunks(even.subarray(2 * part)), { limit: even.length })).toBe(
		even.length,
	);
	const found = await watched.uploads.read(id);
	expect(found && (await sha256Of(found.bytes))).toBe(sha256(even));
});

it.each([
	{ what: "another size", size: 7, byMd5: false, etag: undefined },
	{ what: "another sum", size: 8, byMd5: true, etag: `"${sumOf(Buffer.from("other"), "md5").toString("hex")}"` },
])("removes a completed object of $what than what was sent, and says so", async ({ size, byMd5, etag }) => {
	const upload = await findUpload(watched.client, id);
	if (upload === null) throw new Error("no upload");
	const { UploadId = "" } = await watched.client.send(
		new CreateMultipartUploadCommand({ ...name, Metadata: { generation: upload.generation } }),
	);
	const bytes = randomBytes(8);
	const sent = await sendPart(watched.client, id, UploadId, 1, checked(bytes, "sha256"));
	if (etag !== undefined) {
		await watched.client.send(
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
		completeUpload(watched.client, upload, { multipart: UploadId, parts, size, byMd5, lastLook }),
	).rejects.toMatchObject({
		fault: "failed",
		message: expect.stringContaining("removed"),
	});
	expect(await watched.bucket.keys()).toEqual([`${id}.info`]);
	expect(await watched.uploads.size(id)).toBe(0);
});

it("leaves nothing behind of a discarded upload: info, tail, parts, object, and starts whose answers were lost", async () => {
	for (let time = 0; time < 3; time++) await watched.client.send(new CreateMultipartUploadCommand(name));
	await append(0, 2 * part + 10);
	expect((await watched.bucket.unfinished()).length).toBe(4);
	await watched.uploads.discard(id);
	expect([await watched.bucket.keys(), await watched.bucket.unfinished()]).toEqual([[], []]);
	await watched.uploads.create(id);
	expect(await append(0)).toBe(file.length);
	await watched.uploads.discard(id);
	expect([await watched.bucket.keys(), await watched.bucket.unfinished()]).toEqual([[], []]);
});

it("keeps off what others have in the bucket: it lists, reads and removes nothing but uploads", async () => {
	const foreign = [`${randomUUID()}.info`, `${id}.txt`, "photo.jpg", `${id}.info/inner`];
	for (const Key of foreign)
		await watched.client.send(new PutObjectCommand({ Bucket: name.Bucket, Key, Body: Buffer.from("theirs") }));
	expect(await Array.fromAsync(watched.uploads.list())).toEqual([{ id, size: 0 }]);
	expect(await watched.uploads.size((foreign[0] ?? "").replace(".info", ""))).toBeNull();
	await watched.uploads.discard(id);
	expect(await watched.bucket.keys()).toEqual([...foreign].sort());
});
