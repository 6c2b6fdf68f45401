import { once } from "node:events";
import { connect as connectByHttp2 } from "node:http2";
import { connect } from "node:tls";
import { expect } from "vitest";
import { otherForms, type Spelling, spellings, textOf } from "../../../../packages/http/test/support/path-spellings.ts";
import { exchangeRaw } from "../../../../packages/http/test/support/raw.ts";

/** What a proxy and its clients can agree on. */
export type Protocol = "h2" | "http/1.1";
type Proxy = { readonly url: string; readonly certificate: string };
type From = { readonly localAddress: string };

/** The status that the server answered with; `no` if the proxy answered by itself, or reset the stream or connection. */
type Reached = number | "no";

/**
 * Holds a proxy to what the guide says of the operators' paths: a stranger reaches them in no spelling, by any protocol
 * that the proxy speaks. The operation's 401 would show that one is reached.
 */
export async function keepsPathsClosed(proxy: Proxy, from: From, protocol: Protocol): Promise<void> {
	expect(await protocolOf(proxy)).toBe(protocol);
	for (const ask of protocol === "h2" ? [byHttp1, byHttp2] : [byHttp1]) {
		expect(await ask(proxy, from, { target: "/v1/health", headers: {} })).toBe(200);
		expect(await ask(proxy, from, { target: "/admin/v1/stats", headers: {} })).toBe("no");
		for (const spelling of [...otherForms, ...spellings])
			expect([spelling, await ask(proxy, from, spelling)]).toEqual([spelling, expect.toBeOneOf(["no", 400, 404])]);
	}
}

async function protocolOf({ url, certificate }: Proxy): Promise<unknown> {
	const { hostname: host, port } = new URL(url);
	const socket = connect({ host, port: Number(port), ca: certificate, ALPNProtocols: ["h2", "http/1.1"] });
	await once(socket, "secureConnect");
	socket.destroy();
	return socket.alpnProtocol || "http/1.1";
}

async function byHttp1({ url, certificate }: Proxy, from: From, spelling: Spelling): Promise<Reached> {
	const text = textOf(spelling, new URL(url).host);
	const { status, headers } = await exchangeRaw(url, text, { ca: certificate, ...from });
	return "x-request-id" in headers ? status : "no";
}

async function byHttp2({ url, certificate }: Proxy, from: From, spelling: Spelling): Promise<Reached> {
	const { host, ...headers } = spelling.headers;
	const at = new URL(url).host;
	const [path, authority] = [spelling.target, host ?? at].map((text) => text.replaceAll("other.example", at));
	const session = connectByHttp2(url, { ca: certificate, ...from });
	session.on("error", () => undefined);
	await once(session, "connect");
	const stream = session.request({ ...headers, ":path": path, ":authority": authority });
	stream.on("error", () => undefined);
	let reached: Reached = "no";
	stream.on("response", (answer) => {
		if ("x-request-id" in answer) reached = Number(answer[":status"]);
	});
	stream.resume();
	await new Promise((resolve) => stream.on("close", resolve));
	session.destroy();
	return reached;
}
