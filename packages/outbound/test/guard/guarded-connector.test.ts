import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import {
	type AddressRules,
	createAddressRules,
	createGuardedConnector,
	createWebhookTransport,
} from "@reelmill/outbound";
import { Agent, request } from "undici";
import { afterEach, expect, it } from "vitest";
import { refusalOf } from "../../src/guard/checked-addresses.ts";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
	for (const each of opened.splice(0)) await each.close();
});

const body = Buffer.from("{}");

async function listen(server: Server): Promise<number> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	opened.push(server);
	return (server.address() as AddressInfo).port;
}

async function receiver(): Promise<{ port: number; hosts: (string | undefined)[] }> {
	const hosts: (string | undefined)[] = [];
	const server = createHttpServer((incoming, response) => {
		hosts.push(incoming.headers.host);
		response.setHeader("connection", "close").end();
	});
	return { port: await listen(server), hosts };
}

function transport(
	lookup: (name: string) => Promise<string[]>,
	allow: string[] = ["127.0.0.1"],
	timeoutMilliseconds = 60_000,
) {
	const made = createWebhookTransport({ allow, timeoutMilliseconds, lookup });
	opened.push(made);
	return made;
}

it("keeps the name as Host when it connects to the address that was checked", async () => {
	const { port, hosts } = await receiver();
	const names: string[] = [];
	const { send } = transport(async (name) => {
		names.push(name);
		return ["127.0.0.1"];
	});
	expect(await send({ url: `http://hooks.example.test:${port}/`, headers: {}, body })).toEqual({
		status: 200,
		error: null,
	});
	expect({ names, hosts }).toEqual({ names: ["hooks.example.test"], hosts: [`hooks.example.test:${port}`] });
});

it("sends the name as SNI over TLS", async () => {
	const { promise: hello, resolve } = Promise.withResolvers<Buffer>();
	const port = await listen(
		createServer((socket) =>
			socket.once("data", (data) => {
				resolve(data as Buffer);
				socket.destroy();
			}),
		),
	);
	const { send } = transport(async () => ["127.0.0.1"]);
	expect((await send({ url: `https://hooks.example.test:${port}/`, headers: {}, body })).error).not.toBeNull();
	expect((await hello).includes("hooks.example.test")).toBe(true);
});

it("refuses a name when any of its addresses is blocked, wherever it stands", async () => {
	const { port, hosts } = await receiver();
	for (const addresses of [
		["10.0.0.1", "127.0.0.1"],
		["127.0.0.1", "::ffff:169.254.169.254"],
		["127.0.0.1", "fe80::1"],
	]) {
		const { send } = transport(async () => addresses);
		expect(await send({ url: `http://hooks.example.test:${port}/`, headers: {}, body })).toEqual({
			status: null,
			error: "blocked_address",
		});
	}
	expect(hosts).toEqual([]);
});

it("resolves a name once per connection: one that changes is refused, or reached where it was checked", async () => {
	const { port, hosts } = await receiver();
	const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]];
	const { send } = transport(async () => answers.shift() ?? ["169.254.169.254"]);
	const results: unknown[] = [];
	for (let time = 0; time < 4; time++)
		results.push((await send({ url: `http://rebinding.example.test:${port}/`, headers: {}, body })).error);
	expect(results).toEqual([null, "blocked_address", null, "blocked_address"]);
	expect(hosts).toHaveLength(2);
});

it("looks at where the socket really is", async () => {
	const { port, hosts } = await receiver();
	let asked = 0;
	const rules: AddressRules = { allows: () => asked++ === 0 };
	const agent = new Agent({ connect: createGuardedConnector({ rules }) });
	opened.push(agent);
	await expect(request(`http://127.0.0.1:${port}/`, { dispatcher: agent })).rejects.toMatchObject({
		code: "BLOCKED_ADDRESS",
	});
	expect({ asked, hosts }).toEqual({ asked: 2, hosts: [] });
});

it("calls a connection that was reset at once no blocked address", () => {
	const rules = createAddressRules([]);
	expect(refusalOf({ remoteAddress: undefined }, "hooks.example.test", rules)).toMatchObject({ code: "ECONNRESET" });
	expect(refusalOf({ remoteAddress: "10.0.0.1" }, "hooks.example.test", rules)).toMatchObject({
		code: "BLOCKED_ADDRESS",
	});
	expect(refusalOf({ remoteAddress: "203.0.113.1" }, "hooks.example.test", rules)).toMatchObject({
		code: "BLOCKED_ADDRESS",
	});
	expect(refusalOf({ remoteAddress: "93.184.216.34" }, "hooks.example.test", rules)).toBeNull();
});

it("goes on to the name's next address when nobody listens at the first", async () => {
	const { port, hosts } = await receiver();
	const { send } = transport(async () => ["127.0.0.2", "127.0.0.1"], ["127.0.0.0/8"]);
	expect(await send({ url: `http://hooks.example.test:${port}/`, headers: {}, body })).toEqual({
		status: 200,
		error: null,
	});
	expect(hosts).toHaveLength(1);
});

it("answers timeout while a name server is silent, name_not_found for a name without addresses", async () => {
	const silent = transport(() => new Promise(() => {}), [], 500);
	expect(await silent.send({ url: "http://slow.example.test/", headers: {}, body })).toEqual({
		status: null,
		error: "timeout",
	});
	const nameless = transport(async () => []);
	expect(await nameless.send({ url: "http://none.example.test/", headers: {}, body })).toEqual({
		status: null,
		error: "name_not_found",
	});
});

it("answers with a result after it was closed", async () => {
	const { send, close } = transport(async () => ["127.0.0.1"]);
	await close();
	expect(await send({ url: "http://hooks.example.test/", headers: {}, body })).toEqual({
		status: null,
		error: "the transport is closed",
	});
});

it("refuses to be made with an entry that is no range", () => {
	expect(() => createWebhookTransport({ allow: ["10.0.0.0/8", "intranet"] })).toThrow('"intranet"');
});
