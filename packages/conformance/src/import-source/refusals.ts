import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { within } from "../bytes.ts";
import type { Case } from "../case.ts";
import { withReceiver } from "../receiver.ts";
import { bytesOf, open, refused } from "./opened.ts";
import type { ImportSourceSubject } from "./subject.ts";

const patience = 30_000;
const secrets = ["k3J9", "l0velace", "holiday"];

export const refusalCases: readonly Case<ImportSourceSubject>[] = [
	{
		name: "tells what the origin refuses for good from what it can't give now, and nothing of the address but its host",
		async run({ allowing }) {
			await withReceiver(
				(response, { path }) => response.writeHead(Number(path?.slice(1, 4)), { "retry-after": "90" }).end("body"),
				async ({ port }) => {
					const to = (status: number) =>
						open(allowing, `http://ada:l0velace@127.0.0.1:${port}/${status}/holiday.mp4?signature=k3J9`);
					for (const status of [400, 401, 403, 404, 410])
						await refused(to(status), { code: "source_refused", isFinal: true }, secrets);
					for (const status of [408, 429, 500, 502, 503])
						await refused(to(status), { code: "source_unavailable", isFinal: false, retryAfterSeconds: 90 }, secrets);
				},
			);
		},
	},
	{
		name: "follows five redirects and no sixth, to http and https alone",
		async run({ allowing }) {
			await withReceiver(
				(response, { path = "" }) => {
					const left = Number(path.slice(1));
					if (path === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
					else if (left === 0) response.end("bytes");
					else response.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: `/${left - 1}` }).end();
				},
				async ({ port }) => {
					const at = (path: string) => `http://127.0.0.1:${port}/${path}`;
					assert.equal((await bytesOf((await open(allowing, at("5"))).bytes)).toString(), "bytes");
					await refused(open(allowing, at("6")), { code: "too_many_redirects", isFinal: true });
					await refused(open(allowing, at("file")), { code: "source_refused", isFinal: true });
				},
			);
		},
	},
	{
		name: "sends a user name and a password to their own origin, and to none that it redirects to",
		async run({ allowing }) {
			await withReceiver(
				(response) => response.end("bytes"),
				async (target) => {
					await withReceiver(
						(response, { path }) =>
							path === "/away" ? response.writeHead(302, { location: target.url }).end() : response.end("bytes"),
						async ({ port, received }) => {
							for (const path of ["here", "away"])
								await bytesOf((await open(allowing, `http://ada:l0velace@127.0.0.1:${port}/${path}`)).bytes);
							const sent = `Basic ${Buffer.from("ada:l0velace").toString("base64")}`;
							assert.deepEqual(
								received.map(({ headers }) => headers.authorization),
								[sent, sent],
							);
							assert.equal(target.received[0]?.headers.authorization, undefined);
						},
					);
				},
			);
		},
	},
	{
		name: "says that an address can't be reached if nobody listens, or its name doesn't exist",
		async run({ allowing }) {
			const server = createServer().listen(0, "127.0.0.1");
			await once(server, "listening");
			const { port } = server.address() as AddressInfo;
			server.close();
			await once(server, "close");
			for (const host of [`127.0.0.1:${port}`, "no-such-host.invalid"])
				await refused(
					open(allowing, `http://ada:l0velace@${host}/holiday.mp4?signature=k3J9`),
					{ code: "address_unreachable", isFinal: false },
					secrets,
				);
		},
	},
	{
		name: "ends the wait for an origin that never answers when its signal aborts, and asks nothing if it had aborted before",
		async run({ allowing }) {
			const arrived = Promise.withResolvers<void>();
			await withReceiver(
				() => arrived.resolve(),
				async ({ url, received }) => {
					const request = { url, offset: 0, validator: null };
					const abort = new AbortController();
					const opening = allowing.open(request, abort.signal);
					await arrived.promise;
					abort.abort();
					await assert.rejects(within(patience, opening));
					await assert.rejects(within(patience, allowing.open(request, AbortSignal.abort())));
					assert.equal(received.length, 1);
				},
			);
		},
	},
];
