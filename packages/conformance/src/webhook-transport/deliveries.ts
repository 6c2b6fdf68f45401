import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { WebhookAnswer } from "@reelmill/engine/ports";
import { within } from "../bytes.ts";
import type { Case } from "../case.ts";
import { withReceiver } from "../receiver.ts";
import type { WebhookTransportSubject } from "./subject.ts";

const body = Buffer.from(`{"id":1}`);
const limit = 64 * 1024;
/** A busy machine takes a while to notice that a time is over. */
const leewayMilliseconds = 30_000;

export const deliveryCases: readonly Case<WebhookTransportSubject>[] = [
	{
		name: "POSTs the exact bytes and headers to the path and query of the URL",
		async run({ allowing }) {
			await withReceiver(
				(response) => response.writeHead(204).end(),
				async ({ port, received }) => {
					const bytes = randomBytes(70_000);
					const headers = { "content-type": "application/json", "x-signature": "t=1,v1=ab" };
					assert.deepEqual(await allowing.send({ url: `http://127.0.0.1:${port}/a%20b?c=d&e`, headers, body: bytes }), {
						status: 204,
						error: null,
					});
					const [one] = received;
					assert.ok(one);
					assert.ok(one.body.equals(bytes));
					assert.deepEqual([one.method, one.path], ["POST", "/a%20b?c=d&e"]);
					assert.deepEqual(
						[one.headers["content-type"], one.headers["x-signature"], one.headers["content-length"], one.headers.host],
						["application/json", "t=1,v1=ab", "70000", `127.0.0.1:${port}`],
					);
				},
			);
		},
	},
	{
		name: "counts 200 to 299 as delivered, and names every other status",
		async run({ allowing }) {
			await withReceiver(
				(response, { path }) => response.writeHead(Number(path?.slice(1))).end("body"),
				async ({ port }) => {
					for (const status of [200, 201, 202, 299])
						assert.deepEqual(await allowing.send({ url: `http://127.0.0.1:${port}/${status}`, headers: {}, body }), {
							status,
							error: null,
						});
					for (const status of [400, 401, 404, 410, 429, 500, 503])
						assert.deepEqual(await allowing.send({ url: `http://127.0.0.1:${port}/${status}`, headers: {}, body }), {
							status,
							error: `status_${status}`,
						});
				},
			);
		},
	},
	{
		name: "tells an answer's headers and the first 2048 bytes of its body, whatever they are, if it tells answers",
		async run({ allowing }) {
			const bytes = randomBytes(5000);
			await withReceiver(
				(response, { path }) =>
					response
						.writeHead(
							path === "/long" ? 500 : 200,
							[
								["x-one", "<b>"],
								["set-cookie", "a"],
								["set-cookie", "b"],
							].flat(),
						)
						.end(path === "/long" ? bytes : "thanks"),
				async ({ port }) => {
					const tell = async (path: string): Promise<WebhookAnswer[]> => {
						const told: WebhookAnswer[] = [];
						const onAnswer = (answer: WebhookAnswer) => void told.push(answer);
						await allowing.send({ url: `http://127.0.0.1:${port}/${path}`, headers: {}, body, onAnswer });
						return told;
					};
					const [short, ...others] = await tell("short");
					if (short === undefined) return;
					assert.equal(others.length, 0);
					assert.equal(Buffer.from(short.body).toString(), "thanks");
					assert.equal(short.isTruncated, false);
					const named = (name: string) => short.headers.filter(([one]) => one === name).map(([, value]) => value);
					assert.deepEqual([named("x-one"), named("set-cookie")], [["<b>"], ["a", "b"]]);
					const [long] = await tell("long");
					assert.ok(long?.isTruncated && Buffer.from(long.body).equals(bytes.subarray(0, 2048)));
				},
			);
		},
	},
	{
		name: "never follows a redirect",
		async run({ allowing }) {
			await withReceiver(
				(response) => response.end(),
				async (target) => {
					await withReceiver(
						(response, { path }) => response.writeHead(Number(path?.slice(1)), { location: target.url }).end(),
						async ({ port }) => {
							for (const status of [301, 302, 303, 307, 308])
								assert.deepEqual(
									await allowing.send({ url: `http://127.0.0.1:${port}/${status}`, headers: {}, body }),
									{ status, error: "redirect" },
								);
						},
					);
					assert.deepEqual([target.received.length, target.connections()], [0, 0]);
				},
			);
		},
	},
	{
		name: "answers timeout for a receiver that never answers, and for one that never ends its headers",
		async run({ allowing, timeoutMilliseconds }) {
			await withReceiver(
				(response, { path }) => path === "/half" && response.socket?.write("HTTP/1.1 200 OK\r\nx-half: "),
				async ({ port }) => {
					for (const path of ["silent", "half"]) {
						const result = await within(
							timeoutMilliseconds + leewayMilliseconds,
							allowing.send({ url: `http://127.0.0.1:${port}/${path}`, headers: {}, body }),
						);
						assert.deepEqual(result, { status: null, error: "timeout" });
					}
				},
			);
		},
	},
	{
		name: "is done with a body that never ends within its limits of time and bytes",
		async run({ allowing, timeoutMilliseconds }) {
			let sent = 0;
			// The operating system's buffers between the two take some bytes more.
			const most = limit + 16 * 1024 * 1024;
			const ended = Promise.withResolvers<void>();
			await withReceiver(
				(response) => {
					const more = () => {
						while (sent < most && !response.destroyed && response.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024;
						sent += 16 * 1024;
						if (sent >= most) ended.reject(new Error(`${sent} bytes were taken`));
					};
					response.on("drain", more);
					response.on("close", ended.resolve);
					more();
				},
				async ({ url }) => {
					const [result] = await within(
						timeoutMilliseconds + leewayMilliseconds,
						Promise.all([allowing.send({ url, headers: {}, body }), ended.promise]),
					);
					assert.equal(result.status, 200);
				},
			);
		},
	},
	{
		name: "is done in time with a body that trickles",
		async run({ allowing, timeoutMilliseconds }) {
			await withReceiver(
				(response) => {
					const timer = setInterval(() => response.write("."), 20);
					response.on("close", () => clearInterval(timer));
				},
				async ({ url }) => {
					const result = await within(
						timeoutMilliseconds + leewayMilliseconds,
						allowing.send({ url, headers: {}, body }),
					);
					assert.equal(result.status, 200);
				},
			);
		},
	},
	{
		name: "tells apart that nobody listens, that the name doesn't exist, and that the connection breaks",
		async run({ allowing }) {
			const server = createServer((socket) => socket.resetAndDestroy());
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			const { port } = server.address() as AddressInfo;
			const expectFailed = async (url: string, error: string) =>
				assert.deepEqual(await allowing.send({ url, headers: {}, body }), { status: null, error });
			const url = `http://127.0.0.1:${port}/`;
			for (let times = 0; times < 20; times++) await expectFailed(url, "connection_reset");
			server.close();
			await once(server, "close");
			await expectFailed(url, "connection_refused");
			await expectFailed("http://no-such-host.invalid/", "name_not_found");
		},
	},
	{
		name: "never rejects: not for an answer that isn't HTTP, not for a header that can't be sent",
		async run({ allowing }) {
			const server = createServer((socket) => {
				socket.on("error", () => {});
				socket.end("SSH-2.0-OpenSSH\r\n");
			});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			const { port } = server.address() as AddressInfo;
			const garbled = await allowing.send({ url: `http://127.0.0.1:${port}/`, headers: {}, body });
			assert.ok(garbled.status === null && garbled.error !== null);
			const unsendable = await allowing.send({
				url: `http://127.0.0.1:${port}/`,
				headers: { "x-bad": "a\r\nb: c" },
				body,
			});
			assert.ok(unsendable.status === null && unsendable.error !== null);
			server.close();
		},
	},
	{
		name: "ends an attempt when its signal aborts, and one whose signal had aborted before",
		async run({ allowing }) {
			const arrived = Promise.withResolvers<void>();
			await withReceiver(
				() => arrived.resolve(),
				async ({ url, received }) => {
					const abort = new AbortController();
					const send = allowing.send({ url, headers: {}, body }, abort.signal);
					await arrived.promise;
					abort.abort();
					const result = await within(leewayMilliseconds, send);
					assert.ok(result.status === null && result.error !== null);
					const before = await allowing.send({ url, headers: {}, body }, AbortSignal.abort());
					assert.ok(before.status === null && before.error !== null);
					assert.equal(received.length, 1);
				},
			);
		},
	},
	{
		name: "isn't held up by other receivers that hang",
		async run({ allowing, timeoutMilliseconds }) {
			await withReceiver(
				() => {},
				async (hanging) => {
					const slow = Array.from({ length: 20 }, () => allowing.send({ url: hanging.url, headers: {}, body }));
					await withReceiver(
						(response) => response.end(),
						async ({ url }) => {
							const quick = await within(
								timeoutMilliseconds,
								Promise.all(Array.from({ length: 20 }, () => allowing.send({ url, headers: {}, body }))),
							);
							assert.deepEqual(quick, Array(20).fill({ status: 200, error: null }));
						},
					);
					assert.deepEqual(await Promise.all(slow), Array(20).fill({ status: null, error: "timeout" }));
				},
			);
		},
	},
	{
		name: "isn't held up by other paths of the same receiver that hang",
		async run({ allowing, timeoutMilliseconds }) {
			await withReceiver(
				(response, { path }) => path === "/quick" && response.end(),
				async ({ port }) => {
					const to = (path: string) => allowing.send({ url: `http://127.0.0.1:${port}/${path}`, headers: {}, body });
					const hanging = Array.from({ length: 100 }, () => to("hanging"));
					assert.deepEqual(await within(timeoutMilliseconds, to("quick")), { status: 200, error: null });
					assert.deepEqual(await Promise.all(hanging), Array(100).fill({ status: null, error: "timeout" }));
				},
			);
		},
	},
];
