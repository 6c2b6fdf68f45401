import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { checked } from "../../src/client/body-sum.ts";
import { type BucketClient, createBucketClient } from "../../src/client/bucket-client.ts";
import { sendPart } from "../../src/client/object-requests.ts";
import { completeUpload } from "../../src/uploads/complete-upload.ts";
import { openScriptedServer } from "../support/scripted-server.ts";

const progressTimeoutMilliseconds = 2000;
const upload = { id: "0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2b", generation: "g", partBytes: 5 };

async function withClient(listener: RequestListener, run: (client: BucketClient) => Promise<void>): Promise<void> {
	const server = await openScriptedServer(listener);
	const client = createBucketClient(server.bucket, { rules: { allows: () => true }, progressTimeoutMilliseconds });
	await run(client).finally(async () => {
		client.close();
		await server.close();
	});
}
const complete = (client: BucketClient) =>
	completeUpload(client, upload, {
		multipart: "m",
		parts: [{ number: 1, etag: '"e"' }],
		size: 5,
		byMd5: false,
		lastLook: () => AbortSignal.timeout(500),
	});

it("waits for a completion as long as the server says that it is at it, by blanks before its answer", async () => {
	const result =
		'<?xml version="1.0"?><CompleteMultipartUploadResult><Key>k</Key><ETag>"e"</ETag></CompleteMultipartUploadResult>';
	const listener: RequestListener = async (request, response) => {
		if (request.method === "HEAD")
			return response.writeHead(200, { "content-length": "5", etag: '"e"', "x-amz-meta-generation": "g" }).end();
		request.resume();
		response.writeHead(200, { "content-type": "application/xml" });
		for (let blank = 0; blank < 6; blank++) {
			response.write(" ");
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
		return response.end(result);
	};
	await withClient(listener, async (client) => {
		expect(await complete(client)).toBeUndefined();
	});
});

it("gives a completion up whose answer begins and stops, and looks for the object no longer than it may", async () => {
	const listener: RequestListener = (request, response) => {
		request.resume();
		if (request.method === "POST") response.writeHead(200, { "content-type": "application/xml" }).write(" ");
	};
	await withClient(listener, async (client) => {
		await expect(complete(client)).rejects.toMatchObject({ name: "StorageError", fault: "unreachable" });
	});
});

it("lets go of a connection over which nothing moves", async () => {
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	const listener: RequestListener = (request) => request.once("close", resolve).resume();
	await withClient(listener, async (client) => {
		const sending = sendPart(client, upload.id, "m", 1, checked(Buffer.alloc(1_000_000), "md5"));
		await expect(sending).rejects.toMatchObject({ name: "StorageError", fault: "unreachable" });
		await closed;
	});
});
