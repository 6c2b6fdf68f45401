import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Target } from "../../send/http.ts";

export const keys: Readonly<Record<string, string>> = {
	t0: "ek_the0key0of0the0first0tenant",
	t1: "ek_the0key0of0the0other0tenant",
};
export const videos: Readonly<Record<string, string>> = {
	t0: "11111111-1111-4111-8111-111111111111",
	t1: "22222222-2222-4222-8222-222222222222",
};
export const secret = "whsec_a0secret0that0is0told0once";
/** What a server may do wrong. */
export type Fault =
	| "fails"
	| "answers what it doesn't declare"
	| "says a code that isn't listed"
	| "sends a field too many"
	| "has no request id"
	| "tells another's text"
	| "tells a secret"
	| "finds another's video"
	| "lets anybody in"
	| "keeps silent"
	| "answers twice"
	| "forgets a header"
	| "drops the order";

type Reply = { status: number; body: object | null; headers: Record<string, string> };
const json = (status: number, body: object, headers: Record<string, string> = {}): Reply => ({
	status,
	body,
	headers: {
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
		"content-security-policy": "default-src 'none'; sandbox",
		...headers,
	},
});
const refusal = (status: number, error: string): Reply =>
	json(status, { error, message: "No." }, status === 401 ? { "www-authenticate": "Bearer" } : {});

/** Opens a server of the small API that keeps its contract, except for one fault. */
export async function openSmallServer(fault?: Fault): Promise<{ target: Target; close(): Promise<void> }> {
	const server = createServer((request, response) => void serve(request, response, fault));
	server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
		refuseUnread(socket as Socket, error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400, fault === "answers twice" ? 2 : 1),
	);
	server.on("checkExpectation", (_, response: ServerResponse) =>
		send(response, refusal(417, "bad_request"), randomUUID()),
	);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		target: { host: "127.0.0.1", port, operationsPort: port },
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function refuseUnread(socket: Socket, status: number, times: number): void {
	const body = JSON.stringify({ error: "bad_request", message: "No." });
	const answer = `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: ${randomUUID()}\r\nconnection: close\r\n\r\n${body}`;
	if (socket.writable) socket.end(answer.repeat(times));
}

async function serve(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): Promise<void> {
	const wanted = request.headers["x-request-id"]?.toString() ?? "";
	const id = /^[A-Za-z0-9._-]{1,128}$/.test(wanted) && fault !== "drops the order" ? wanted : randomUUID();
	const body = await buffer(request).catch(() => Buffer.alloc(0));
	const reply = route(request, body, fault);
	if (reply !== null) send(response, reply, fault === "has no request id" ? undefined : id);
}

function send(response: ServerResponse, { status, body, headers }: Reply, id: string | undefined): void {
	const text = body === null ? "" : JSON.stringify(body);
	response.writeHead(status, {
		...headers,
		"content-type": "application/json",
		"content-length": Buffer.byteLength(text),
		...(id !== undefined && { "x-request-id": id }),
	});
	response.end(text);
}

/** Returns null for no answer. */
function route(
	{ method = "", url = "/", headers }: IncomingMessage,
	body: Buffer,
	fault: Fault | undefined,
): Reply | null {
	const path = url.replace(/^https?:\/\/[^/?]*/i, "").split(/[?#]/, 1)[0] ?? "";
	const isRead = method === "GET" || method === "HEAD";
	if (path === "/v1/health" && isRead)
		return fault === "keeps silent" && url !== path ? null : json(200, { status: "ok" });
	const video = /^\/v1\/videos\/([^/]+)$/.exec(path)?.[1];
	if (!(video !== undefined && isRead) && !(path === "/v1/videos" && method === "POST"))
		return refusal(404, "not_found");
	const token = /^bearer +([^ ]+) *$/i.exec(headers.authorization ?? "")?.[1];
	const owner = fault === "lets anybody in" ? "t0" : Object.keys(keys).find((name) => keys[name] === token);
	if (owner === undefined)
		return fault === "forgets a header"
			? json(401, { error: "unauthorized", message: "No." })
			: refusal(401, "unauthorized");
	return video === undefined ? create(body, headers, fault) : read(video, owner, fault);
}

function create(body: Buffer, headers: IncomingMessage["headers"], fault: Fault | undefined): Reply {
	if (body.length > 65_536) return refusal(413, "bad_request");
	if (headers["content-type"] !== "application/json") return refusal(400, "bad_request");
	let value: unknown;
	try {
		value = JSON.parse(body.toString());
	} catch {
		return refusal(400, "bad_request");
	}
	const {
		content_type: type,
		file_size: size,
		...others
	} = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
	const isRight =
		typeof type === "string" &&
		type.length > 0 &&
		type.length <= 100 &&
		Number.isInteger(size) &&
		(size as number) >= 1 &&
		(size as number) <= 100 &&
		Object.keys(others).length === 0;
	if (!isRight)
		return fault === "fails"
			? refusal(500, "bad_request")
			: refusal(400, fault === "says a code that isn't listed" ? "video_not_found" : "validation_error");
	return json(201, { id: randomUUID(), external_ref: null });
}

function read(video: string, owner: string, fault: Fault | undefined): Reply {
	if (video !== videos[owner] && !(fault === "finds another's video" && Object.values(videos).includes(video)))
		return refusal(404, "video_not_found");
	if (fault === "answers what it doesn't declare") return refusal(409, "bad_request");
	const text =
		fault === "tells another's text"
			? "canary-t9-external"
			: fault === "tells a secret"
				? secret
				: `canary-${owner}-external`;
	return json(200, { id: video, external_ref: text, ...(fault === "sends a field too many" && { password: "x" }) });
}
