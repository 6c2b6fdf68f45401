import { inspect } from "node:util";
import type { StorageFault } from "@reelmill/engine/ports";
import { createBucketOpener } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { patience } from "../support/patience.ts";
import { openScriptedServer, secretAccessKey } from "../support/scripted-server.ts";

const inner = "words-of-an-inner-service";
const xml = (code: string) =>
	`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${inner} ${secretAccessKey}</Message><StringToSign>${inner}</StringToSign></Error>`;

const answers: readonly {
	readonly what: string;
	readonly status: number;
	readonly body: string;
	readonly fault: StorageFault;
	readonly says?: RegExp;
	readonly provider?: string;
}[] = [
	{
		what: "an error of S3",
		status: 403,
		body: xml("SignatureDoesNotMatch"),
		fault: "credentials",
		says: /secret access key.*region.*\(HTTP 403\)/,
		provider: "SignatureDoesNotMatch (HTTP 403)",
	},
	{ what: "another error of S3", status: 404, body: xml("NoSuchBucket"), fault: "bucket", says: /no bucket/ },
	{ what: "an expired key", status: 400, body: xml("ExpiredToken"), fault: "credentials", says: /expired/ },
	{ what: "clocks apart", status: 403, body: xml("RequestTimeTooSkewed"), fault: "credentials", says: /clocks/ },
	{
		what: "the wrong region",
		status: 400,
		body: xml("AuthorizationHeaderMalformed"),
		fault: "credentials",
		says: /region/,
	},
	{ what: "another endpoint", status: 301, body: xml("PermanentRedirect"), fault: "bucket", says: /another region/ },
	{
		what: "a code that is words of an inner service",
		status: 400,
		body: xml(inner),
		fault: "failed",
		says: /refused the request \(HTTP 400\)/,
		provider: "HTTP 400",
	},
	{ what: "a code that is a property of every object", status: 400, body: xml("constructor"), fault: "failed" },
	{
		what: "a code of S3 without a sentence here",
		status: 501,
		body: xml("NotImplemented"),
		fault: "failed",
		provider: "NotImplemented (HTTP 501)",
	},
	{ what: "a page of HTML", status: 200, body: `<html><title>${inner}</title></html>`, fault: "failed" },
	{ what: "a page of HTML that refuses", status: 403, body: `<html>${inner}</html>`, fault: "credentials" },
	{ what: "no XML", status: 500, body: `{"error":"${inner}"}`, fault: "failed" },
	{ what: "a redirect", status: 302, body: inner, fault: "bucket", says: /elsewhere/ },
];

it.each(answers)(
	"tells $what by a sentence of its own, without a word of the answer and without the secret",
	async ({ status, body, fault, says, provider }) => {
		const heard: (string | undefined)[] = [];
		const server = await openScriptedServer((request, response) => {
			heard.push(request.url);
			response
				.writeHead(status, { "content-type": "application/xml", location: "http://127.0.0.1:1/elsewhere" })
				.end(body);
		});
		const bucket = createBucketOpener({ allow: [], attempts: 2, ...patience }).open(server.bucket);
		const thrown: unknown = await Array.fromAsync(bucket.outputs.list("a/")).catch((error: unknown) => error);
		expect(thrown).toMatchObject({ name: "StorageError", fault });
		if (says) expect((thrown as Error).message).toMatch(says);
		if (provider) expect((thrown as { providerSaid?: unknown }).providerSaid).toBe(provider);
		const told = `${inspect(thrown, { depth: 10, showHidden: true })} ${JSON.stringify(thrown)}`;
		for (const kept of [inner, secretAccessKey, "AWS4-HMAC-SHA256"]) expect(told).not.toContain(kept);
		expect(heard.every((url) => url?.startsWith("/videos"))).toBe(true);
		await bucket.close();
		await server.close();
	},
);

it("never takes an answer of another range, or of another size, for the one it asked for", async () => {
	for (const [status, headers] of [
		[200, { "content-length": "5" }],
		[206, { "content-range": "bytes 0-4/100", "content-length": "5" }],
		[206, { "content-range": "bytes 10-12/100", "content-length": "3" }],
		[206, { "content-range": "bytes */100", "content-length": "5" }],
	] as const) {
		const server = await openScriptedServer((_, response) =>
			response.writeHead(status, { etag: '"e"', ...headers }).end("abcde".slice(0, Number(headers["content-length"]))),
		);
		const bucket = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
		await expect(bucket.outputs.get("a", { start: 10, end: 14 })).rejects.toMatchObject({
			name: "StorageError",
			fault: "failed",
		});
		await bucket.close();
		await server.close();
	}
});

it("believes a put only if the object under the key is the one that was put", async () => {
	const server = await openScriptedServer((request, response) => {
		request.resume().once("end", () => {
			const id = "<UploadId>1</UploadId>";
			if (request.method === "HEAD") response.writeHead(200, { "content-length": "3", etag: '"old"' }).end();
			else if (request.method === "PUT") response.writeHead(200, { etag: '"part"' }).end();
			else
				response.writeHead(200).end(request.url?.includes("uploads") ? `<R>${id}</R>` : '<R><ETag>"whole"</ETag></R>');
		});
	});
	const bucket = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
	async function* bytes() {
		for (let time = 0; time < 10; time++) yield Buffer.alloc(1024 * 1024);
	}
	await expect(bucket.outputs.put("a", bytes())).rejects.toMatchObject({
		name: "StorageError",
		fault: "failed",
		message: expect.stringContaining("lost"),
	});
	await bucket.close();
	await server.close();
});
