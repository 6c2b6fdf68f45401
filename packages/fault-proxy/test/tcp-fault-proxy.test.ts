import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openTcpFaultProxy, type TcpFaultProxy } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, expect, test } from "vitest";

let server: Server;
let proxy: TcpFaultProxy;
let arrivals: Socket[];
const clients: Socket[] = [];

/** The server sends back what it gets. */
beforeEach(async () => {
	arrivals = [];
	server = createServer((socket) => {
		arrivals.push(socket.on("error", () => undefined));
		socket.pipe(socket);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	proxy = await openTcpFaultProxy({ target: { host: "127.0.0.1", port: (server.address() as AddressInfo).port } });
});
afterEach(async () => {
	for (const client of clients.splice(0)) client.destroy();
	await proxy.close();
	const closed = once(server, "close");
	server.close();
	for (const socket of arrivals) socket.destroy();
	await closed;
});

async function open(): Promise<Socket> {
	const client = connect(proxy.port, proxy.host).on("error", () => undefined);
	clients.push(client);
	await once(client, "connect");
	return client;
}

async function hears(client: Socket, word: string): Promise<string> {
	client.write(word);
	const [bytes] = await once(client, "data");
	return String(bytes);
}

const gone = (socket: Socket) => new Promise<void>((resolve) => socket.resume().once("close", () => resolve()));
const silence = async (client: Socket) =>
	expect(await Promise.race([once(client, "data"), gone(client), sleep(150, "silence")])).toBe("silence");

test("passes 20 MB both ways, and each side's end", async () => {
	const client = await open();
	const sent = randomBytes(20_000_000);
	const came: Buffer[] = [];
	client.on("data", (bytes) => came.push(bytes));
	client.end(sent);
	await once(client, "close");
	expect(Buffer.concat(came).equals(sent)).toBe(true);
	expect(proxy.connections).toBe(0);
});

test("cuts every connection and passes new ones", async () => {
	const client = await open();
	expect(await hears(client, "one")).toBe("one");
	proxy.cut();
	await gone(client);
	expect(await hears(await open(), "two")).toBe("two");
});

test("refuses every connection until it passes again", async () => {
	const client = await open();
	proxy.refuse();
	await gone(client);
	const late = connect(proxy.port, proxy.host).on("error", () => undefined);
	await gone(late);
	proxy.resume();
	expect(await hears(await open(), "again")).toBe("again");
});

test("stalls old and new connections, and passes what waited when it goes on", async () => {
	const old = await open();
	expect(await hears(old, "one")).toBe("one");
	proxy.stall();
	const fresh = await open();
	for (const client of [old, fresh]) {
		client.write("waits");
		await silence(client);
	}
	const answers = [old, fresh].map((client) => once(client, "data"));
	proxy.resume();
	expect((await Promise.all(answers)).map(String)).toEqual(["waits", "waits"]);
});

test("leaves the client on a connection whose server is gone, and takes new clients without a word", async () => {
	const client = await open();
	await hears(client, "one");
	const lost = gone(arrivals[0] as Socket);
	proxy.halfOpen("client");
	await lost;
	client.write("anyone?");
	await silence(client);
	await silence(await open());
	expect(arrivals).toHaveLength(1);
	const end = gone(client);
	proxy.resume();
	await end;
	expect(await hears(await open(), "back")).toBe("back");
});

test("leaves the server on a connection whose client is gone", async () => {
	const client = await open();
	await hears(client, "one");
	const kept = arrivals[0] as Socket;
	proxy.halfOpen("server");
	await gone(client);
	const end = gone(kept);
	expect(await Promise.race([end, sleep(150, "silence")])).toBe("silence");
	proxy.resume();
	await end;
});

test("resets the client when there is no server", async () => {
	await new Promise((resolve) => server.close(resolve));
	const client = connect(proxy.port, proxy.host).on("error", () => undefined);
	await gone(client);
	expect(proxy.connections).toBe(0);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
});

test("takes new connections to another server, and leaves the open ones where they are", async () => {
	const other = createServer(
		(socket) => void socket.on("data", () => socket.write("other")).on("error", () => undefined),
	);
	await once(other.listen(0, "127.0.0.1"), "listening");
	const before = await open();
	expect(await hears(before, "one")).toBe("one");
	proxy.redirect({ host: "127.0.0.1", port: (other.address() as AddressInfo).port });
	const after = await open();
	expect(await hears(after, "two")).toBe("other");
	expect(await hears(before, "three")).toBe("three");
	after.destroy();
	other.close();
});
