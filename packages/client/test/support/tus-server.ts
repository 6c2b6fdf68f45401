import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

/** Gets each request before the tus server. Returns true if it has answered the request. */
export type Intercept = (
	request: IncomingMessage,
	response: ServerResponse,
) => boolean | undefined | Promise<boolean | undefined>;

/**
 * Starts a real tus server with the rules of the upload plane: one token, upload ids from the metadata, and an upload
 * that is no longer pending once it is complete. A test breaks things in `intercept` and `finishing`.
 */
export async function tusServer({
	token = "upload-token",
	intercept = () => undefined,
	finishing = () => undefined,
}: {
	token?: string;
	intercept?: Intercept;
	finishing?: Intercept;
} = {}) {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-tus-"));
	const directory = join(folder, "uploads");
	const requests: string[] = [];
	const finished = new Set<string>();
	const created = new Set<string>();
	const terminated = new Set<string>();
	const tus = new Server({
		path: "/uploads",
		datastore: new FileStore({ directory }),
		namingFunction: (_, metadata) => metadata?.["video_id"] ?? "unnamed",
		async onUploadFinish(request, { id }) {
			finished.add(id);
			const { req, res } = request.runtime?.node ?? {};
			if (req && res) await finishing(req as IncomingMessage, res as ServerResponse);
			return {};
		},
	});
	const server = createServer(async (request, response) => {
		const { url = "" } = request;
		const method = String(request.headers["x-http-method-override"] ?? request.method);
		requests.push(
			`${request.method} ${url}${request.headers["upload-offset"] === undefined ? "" : ` @${request.headers["upload-offset"]}`}`,
		);
		if (method !== "OPTIONS") {
			if (await intercept(request, response)) return;
			if (request.headers.authorization !== `Bearer ${token}`) return refuse(request, response, 401, "unauthorized");
			if (finished.has(url.split("/").at(-1) ?? ""))
				return refuse(request, response, 409, "upload_not_pending", { "upload-complete": "?1" });
			const target = method === "POST" ? idOf(request) : (url.split("/").at(-1) ?? "");
			if (terminated.has(target))
				return refuse(request, response, 409, "upload_not_pending", {
					"upload-complete": "?0",
					"upload-end": "cancelled",
				});
			if (method === "DELETE") terminated.add(target);
			if (method === "POST" && created.has(idOf(request)))
				return void response
					.writeHead(201, { ...cors, "tus-resumable": "1.0.0", location: `/uploads/${idOf(request)}` })
					.end();
			if (method === "POST") created.add(idOf(request));
		}
		await tus.handle(Object.assign(request, { method }), response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	// The store makes its directory by itself, and throws where nobody can catch it if the folder is gone by then.
	while (!existsSync(directory)) await setImmediate();
	const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uploads`;
	return {
		endpoint,
		requests,
		finished,
		ticket: (videoId: string) => ({
			protocol: "tus" as const,
			endpoint,
			token,
			token_type: "Bearer" as const,
			expires_at: "2099-01-01T00:00:00.000Z",
			metadata: { video_id: videoId },
		}),
		bytes: (videoId: string) => readFile(join(directory, videoId)),
		/** Takes an upload back to its first bytes, or removes it, as a restore can. */
		async restore(videoId: string, length: number | null) {
			if (length !== null) return truncate(join(directory, videoId), length);
			created.delete(videoId);
			for (const name of [videoId, `${videoId}.json`]) await rm(join(directory, name), { force: true });
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const cors = {
	"access-control-allow-origin": "*",
	"access-control-expose-headers":
		"Location, Upload-Offset, Upload-Length, Upload-Complete, Upload-End, Retry-After, Tus-Resumable, X-Request-Id",
};

/** Refuses a request as the service does: with a code in JSON, or without a body for HEAD. */
export function refuse(
	request: IncomingMessage,
	response: ServerResponse,
	status: number,
	code: string,
	headers: Record<string, string> = {},
	extras: object = {},
): void {
	request.resume();
	response
		.writeHead(status, { ...cors, "tus-resumable": "1.0.0", "content-type": "application/json", ...headers })
		.end(request.method === "HEAD" ? undefined : JSON.stringify({ error: code, ...extras }));
}

function idOf(request: IncomingMessage): string {
	const metadata = String(request.headers["upload-metadata"] ?? "");
	return Buffer.from(/video_id ([^,]+)/.exec(metadata)?.[1] ?? "", "base64").toString();
}
