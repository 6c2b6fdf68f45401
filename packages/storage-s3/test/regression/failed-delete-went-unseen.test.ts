import { createBucketOpener } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { patience } from "../support/patience.ts";
import { openScriptedServer } from "../support/scripted-server.ts";

const objects = Array.from({ length: 16 }, (_, index) => `<Contents><Key>a/${100 + index}</Key></Contents>`);
const first = `<R><IsTruncated>true</IsTruncated><NextContinuationToken>2</NextContinuationToken>${objects.join("")}</R>`;
const last = "<R><IsTruncated>false</IsTruncated></R>";

it("rejects if a delete fails while the next page of the list is awaited", async () => {
	const listed = Promise.withResolvers<void>();
	const refused = Promise.withResolvers<void>();
	const server = await openScriptedServer(async ({ method, url = "", socket }, response) => {
		if (url.includes("a/101")) {
			socket.once("close", refused.resolve);
			await listed.promise;
			response.writeHead(403, { connection: "close" }).end();
		} else if (method === "DELETE") response.writeHead(204).end();
		else if (url.includes("uploads")) response.end("<R/>");
		else if (url.includes("continuation-token")) {
			listed.resolve();
			await refused.promise;
			response.end(last);
		} else response.end(first);
	});
	const bucket = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
	await expect(bucket.outputs.deletePrefix("a/")).rejects.toMatchObject({ name: "StorageError", fault: "credentials" });
	await bucket.close();
	await server.close();
});
