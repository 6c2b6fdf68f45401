import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Buckets at one address, each named after what it does while it is told to be hostile (PUT /hostile, until DELETE
 * /hostile). Otherwise they are as good as any. Prints its port.
 */

type Stored = { readonly bytes: Buffer; readonly metadata: Record<string, string>; readonly etag: string };
const stored = new Map<string, Stored>();
let isHostile = false;

const chunk = Buffer.alloc(65_536, " ");
const GiB = 1024 ** 3;

/** Sends without end, as fast as it is taken. */
function pour(response: ServerResponse, bytes: Buffer = chunk): void {
	while (!response.destroyed && response.write(bytes));
	if (!response.destroyed) response.once("drain", () => pour(response, bytes));
}

function drip(response: ServerResponse, character: string): void {
	const timer = setInterval(() => response.write(character), 100);
	response.once("close", () => clearInterval(timer));
}

const xml = { "content-type": "application/xml" };
const object = (found: Stored, length: number): Record<string, string> => ({
	etag: found.etag,
	"content-length": String(length),
});
/** Of an answer with the bytes from `start` on. */
const rest = ({ etag, bytes: { length } }: Stored, start: number) => ({
	etag,
	"content-range": `bytes ${start}-${length - 1}/${length}`,
});
type Trick = (
	response: ServerResponse,
	asked: {
		readonly method: string;
		readonly key: string;
		readonly query: URLSearchParams;
		readonly found: Stored | undefined;
		readonly start: number;
	},
) => boolean;

/** A trick for the GET of an object whose key ends like this. */
const forObject =
	(end: string, play: (response: ServerResponse, found: Stored, start: number) => void): Trick =>
	(response, { method, key, found, start }) => {
		if (method !== "GET" || !key.endsWith(end) || found === undefined) return false;
		play(response, found, start);
		return true;
	};
const forList =
	(play: (response: ServerResponse) => void): Trick =>
	(response, { query }) => {
		if (!query.has("list-type")) return false;
		play(response);
		return true;
	};

let pages = 0;
/** By the bucket's name. Each answers whether it played. */
const tricks: Readonly<Record<string, Trick>> = {
	"endless-list": forList((response) => pour(response.writeHead(200, xml))),
	declarations: forList((response) => response.writeHead(200, xml).end("<!DOCTYPE>".repeat(100_000))),
	"endless-pages": forList((response) => {
		pages += 1;
		const keys = Array.from(
			{ length: 200 },
			(_, n) => `<Contents><Key>probe/${String(pages * 1000 + n).padStart(900, "0")}</Key><Size>1</Size></Contents>`,
		);
		response
			.writeHead(200, xml)
			.end(`<L><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>${keys.join("")}</L>`);
	}),
	"endless-error": (response, { method }) => {
		if (method !== "PUT") return false;
		pour(response.writeHead(500, xml));
		return true;
	},
	"huge-frame": forObject(".jpg", (response, found) => pour(response.writeHead(200, object(found, 4 * GiB)))),
	"frame-without-length": forObject(".jpg", (response, found) => pour(response.writeHead(200, { etag: found.etag }))),
	"dripping-frame": forObject(".jpg", (response, found) =>
		drip(response.writeHead(200, object(found, found.bytes.length)), "x"),
	),
	"frame-of-another-type": forObject(".jpg", (response, found) =>
		response.writeHead(200, object(found, found.bytes.length)).end(Buffer.alloc(found.bytes.length)),
	),
	"packed-frame": forObject(".jpg", (response, found) =>
		pour(response.writeHead(200, { ...object(found, GiB), "content-encoding": "gzip" })),
	),
	"tags-for-words": forObject(".vtt", (response, found) => {
		const head = "WEBVTT\n\n00:00.000 --> 00:01.000\n";
		response.writeHead(200, object(found, found.bytes.length)).end(head + "<".repeat(found.bytes.length - head.length));
	}),
	"longer-video": forObject(".mp4", (response, found, start) => pour(response.writeHead(206, rest(found, start)))),
	"shorter-video": forObject(".mp4", (response, found, start) => {
		response.writeHead(206, { ...rest(found, start), "content-length": found.bytes.length - start });
		response.write(found.bytes.subarray(start, 300_000), () => response.destroy());
	}),
};

async function store(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
	const bytes = Buffer.concat((await request.toArray()) as Buffer[]);
	const metadata = Object.fromEntries(
		Object.entries(request.headers).filter(([name]) => name.startsWith("x-amz-meta-")),
	) as Record<string, string>;
	const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
	stored.set(key, { bytes, metadata, etag });
	response.writeHead(200, { etag }).end();
}

function send({ headers, method }: IncomingMessage, response: ServerResponse, { bytes, metadata, etag }: Stored): void {
	const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
	const part = start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1);
	const range =
		start === undefined ? {} : { "content-range": `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}` };
	response.writeHead(start === undefined ? 200 : 206, { ...metadata, ...range, etag, "content-length": part.length });
	response.end(method === "HEAD" ? undefined : part);
}

function list(response: ServerResponse, bucket: string, prefix: string): void {
	const keys = [...stored]
		.filter(([key]) => key.startsWith(`${bucket}/${prefix}`))
		.sort(([a], [b]) => (a < b ? -1 : 1));
	const contents = keys.map(
		([key, { bytes }]) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>${bytes.length}</Size></Contents>`,
	);
	response
		.writeHead(200, xml)
		.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://bucket");
	const [bucket = "", ...parts] = pathname.slice(1).split("/");
	const method = request.method ?? "GET";
	if (bucket === "hostile") {
		isHostile = method === "PUT";
		return void response.end();
	}
	const key = parts.join("/");
	const found = stored.get(`${bucket}/${key}`);
	if (method !== "PUT" || isHostile) request.resume();
	const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
	if (isHostile && tricks[bucket]?.(response, { method, key, query, found, start })) return;
	if (query.has("list-type")) return list(response, bucket, query.get("prefix") ?? "");
	if (query.has("uploads"))
		return void response
			.writeHead(200, xml)
			.end("<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>");
	if (method === "PUT") return store(request, response, `${bucket}/${key}`);
	if (method === "DELETE") {
		stored.delete(`${bucket}/${key}`);
		return void response.writeHead(204).end();
	}
	if (key === "") return void response.end();
	if (found !== undefined) return send(request, response, found);
	response.writeHead(404, xml).end(method === "HEAD" ? undefined : "<Error><Code>NoSuchKey</Code></Error>");
}

const server = createServer((request, response) => {
	response.on("error", () => undefined);
	void answer(request, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
