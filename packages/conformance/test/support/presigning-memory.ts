import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ObjectStorage } from "@reelmill/engine/ports";
import { collect } from "../../src/bytes.ts";
import { createMemoryObjectStorage, type Objects } from "./memory-object-storage.ts";

/** What a URL allows, and what the server makes of it. A broken one forgets a part. */
export type Grant = {
	readonly key: string;
	readonly method: "GET" | "PUT";
	readonly size: number | null;
	readonly replaces?: boolean;
};
export type Loosen = (grant: Grant, request: IncomingMessage) => Grant;

/** Objects in memory behind a small server that obeys presigned URLs. */
export async function openPresigningMemory(loosen: Loosen = (grant) => grant) {
	const objects: Objects = new Map();
	const memory = createMemoryObjectStorage(objects);
	const grants = new Map<string, Grant>();
	const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
	await once(server, "listening");
	const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? "", base);
		const signed = grants.get(url.searchParams.get("grant") ?? "");
		const grant = signed && loosen(signed, request);
		const size = request.headers["content-length"];
		const refuse = (status: number) => void response.writeHead(status, { connection: "close" }).end();
		if (!grant || url.pathname !== `/${grant.key}` || request.method !== grant.method) return refuse(403);
		if (grant.method === "PUT") {
			if (grant.size !== null && size !== String(grant.size)) return refuse(403);
			const isThere = () => objects.has(grant.key) && !grant.replaces && request.headers["if-none-match"] === "*";
			const body = await collect(request);
			if (isThere()) return refuse(412);
			objects.set(grant.key, body);
			return void response.end();
		}
		const bytes = objects.get(grant.key);
		if (!bytes) return refuse(404);
		const [, start, end] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []).map(Number);
		if (start === undefined || end === undefined) return void response.end(bytes);
		response
			.writeHead(206, { "content-range": `bytes ${start}-${end}/${bytes.length}` })
			.end(bytes.subarray(start, end + 1));
	}

	const storage: ObjectStorage = {
		...memory,
		capabilities: { presign: true, download: true },
		async presign(key, request) {
			if (!/^[A-Za-z0-9._/-]+$/.test(key) || /(^|\/)(\.\.?)?(\/|$)/.test(key)) throw new TypeError("not a key");
			const id = String(grants.size);
			grants.set(id, { key, method: request.method, size: request.method === "PUT" ? request.size : null });
			return `${base}/${key}?grant=${id}`;
		},
	};
	return {
		subject: { storage, elsewhere: storage },
		async close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

export const brokenPresigning: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	readonly loosen: Loosen;
}[] = [
	{
		flaw: "takes any size by a presigned URL",
		noticedBy: "refuses what is put by a presigned URL with another size, or with none, and leaves nothing",
		loosen: (grant) => ({ ...grant, size: null }),
	},
	{
		flaw: "replaces what is there by a presigned URL",
		noticedBy: "refuses what is put by a presigned URL where there is an object, with 412, and keeps what was there",
		loosen: (grant) => ({ ...grant, replaces: true }),
	},
	{
		flaw: "lets the holder of a GET replace the object",
		noticedBy: "makes URLs that are good for one method and one object alone",
		loosen: (grant, { method }) => ({ ...grant, method: method === "PUT" ? "PUT" : grant.method }),
	},
];
