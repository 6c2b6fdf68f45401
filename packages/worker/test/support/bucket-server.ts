import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutputUrls, OutputUrlsRequest } from "@reelmill/contracts";

export type Put = { readonly path: string; readonly headers: IncomingHttpHeaders };
/** What happens to the nth put of a path; undefined stores it. */
export type Fate = (path: string, nth: number, request: IncomingMessage, response: ServerResponse) => unknown;

/** Opens a bucket that takes PUTs as a presigned URL allows, and records them. */
export async function openBucket(fate: Fate = () => undefined) {
	const puts: Put[] = [];
	const stored = new Map<string, Buffer>();
	let running = 0;
	let most = 0;
	const server = createServer(async (request, response) => {
		const path = new URL(request.url ?? "/", "http://bucket").pathname.slice(1);
		puts.push({ path, headers: request.headers });
		running += 1;
		most = Math.max(most, running);
		response.once("close", () => {
			running -= 1;
		});
		if ((await fate(path, puts.filter((put) => put.path === path).length, request, response)) !== undefined) return;
		const parts: Buffer[] = [];
		try {
			for await (const part of request) parts.push(part as Buffer);
		} catch {
			return;
		}
		stored.set(path, Buffer.concat(parts));
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		puts,
		stored,
		/** Returns how many puts ran at the same time at most. */
		most: () => most,
		/** Returns a function that sends workers here, as the server does. */
		outputUrls:
			(storage_owner: OutputUrls["storage_owner"]) =>
			({ files }: OutputUrlsRequest): OutputUrls => ({
				data: files.map(({ path, size }) => ({
					path,
					url: `${url}/${path}?signature=${size}`,
					headers: { "content-type": `type/of-${path.split(".").at(-1)}`, "cache-control": "public, max-age=86400" },
					expires_at: new Date(Date.now() + 60_000).toISOString(),
				})),
				storage_owner,
			}),
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
