import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { directory } from "../../src/index.ts";
import type { Server } from "./server.ts";

const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const types: Record<string, string> = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
};

/**
 * Serves the page and console sessions until the server itself does, and sends everything else on to the server, with
 * the admin key, or the first tenant's for a request with x-service-domain.
 */
export async function standIn(server: Server, adminKey: string, secret: string) {
	const { id } = await (
		await fetch(`${server.url}/v1/domain`, { headers: { authorization: `Bearer ${server.tenantKey}` } })
	).json();
	const session = {
		account: {
			id,
			issuer: null,
			subject: null,
			email: null,
			email_verified: false,
			role: "admin",
			domain_ids: [],
			created_at: new Date().toISOString(),
			last_signed_in_at: null,
			disabled_at: null,
		},
		domains: [{ id, slug: "default" }],
		expires_at: new Date(Date.now() + 3_600_000).toISOString(),
	};
	const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
		response
			.writeHead(status, { "content-type": "application/json", "x-request-id": "request-of-the-stand-in", ...headers })
			.end(JSON.stringify(body));
	const body = async (incoming: IncomingMessage) => JSON.parse((await incoming.toArray()).join("") || "{}");
	const isSignedIn = (incoming: IncomingMessage) => incoming.headers.cookie?.includes("reelmill_session=1") ?? false;
	const own: Record<string, (incoming: IncomingMessage, response: ServerResponse) => unknown> = {
		"GET /console/v1/sign-in": (_, response) => json(response, 200, { secret: true, provider: false }),
		"GET /console/v1/session": (incoming, response) =>
			isSignedIn(incoming)
				? json(response, 200, session)
				: json(response, 401, { error: "unauthorized", message: "Sign in." }),
		"DELETE /console/v1/session": (_, response) =>
			response.writeHead(204, { "set-cookie": "reelmill_session=; Path=/; Max-Age=0" }).end(),
		"POST /console/v1/session": async (incoming, response) =>
			(await body(incoming)).secret === secret
				? json(response, 200, session, { "set-cookie": "reelmill_session=1; Path=/; HttpOnly; SameSite=Lax" })
				: json(response, 401, { error: "invalid_secret", message: "The console secret is wrong." }),
	};
	const sendOn = (incoming: IncomingMessage, response: ServerResponse) => {
		const key = incoming.headers["x-service-domain"] === undefined ? adminKey : server.tenantKey;
		const { cookie: _, ...headers } = incoming.headers;
		const authorization = headers.authorization ?? `Bearer ${key}`;
		const onward = request(`${server.url}${incoming.url}`, {
			method: incoming.method,
			headers: { ...headers, authorization },
		});
		onward.on("response", (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on("error", () => response.destroy());
		incoming.pipe(onward);
	};
	const sendPage = async (path: string, response: ServerResponse) => {
		const file = path.startsWith("/console/assets/") ? path.slice("/console/".length) : "index.html";
		const bytes = await readFile(join(directory, file));
		response.writeHead(200, { "content-type": types[extname(file)], "content-security-policy": policy }).end(bytes);
	};
	const http = createServer((incoming, response) => {
		const { pathname } = new URL(incoming.url ?? "/", "http://page");
		const handler = own[`${incoming.method} ${pathname}`];
		if (handler) return void handler(incoming, response);
		if (pathname.startsWith("/console/v1/") || !pathname.startsWith("/console")) return sendOn(incoming, response);
		void sendPage(pathname, response).catch(() => response.writeHead(404).end());
	});
	http.listen(0, "127.0.0.1");
	await once(http, "listening");
	return {
		url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
		async close() {
			http.closeAllConnections();
			http.close();
		},
	};
}
