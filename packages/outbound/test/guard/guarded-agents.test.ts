import { once } from "node:events";
import {
	createServer as createHttpServer,
	type IncomingMessage,
	request as overHttp,
	type RequestOptions,
} from "node:http";
import { request as overHttps } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createAddressRules, createGuardedAgents, type GuardedAgentsOptions } from "@reelmill/outbound";
import { afterEach, expect, it } from "vitest";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
	for (const each of opened.splice(0)) await each.close();
});

async function listen(server: Server): Promise<number> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	opened.push(server);
	return (server.address() as AddressInfo).port;
}

async function receiver() {
	const heard = { hosts: [] as (string | undefined)[], connections: 0, most: 0 };
	const server = createHttpServer((incoming, response) => {
		heard.hosts.push(incoming.headers.host);
		response.end("heard");
	});
	server.on("connection", (socket) => {
		heard.most = Math.max(heard.most, ++heard.connections);
		socket.once("close", () => heard.connections--);
	});
	return { port: await listen(server), heard };
}

function agents(options: Partial<GuardedAgentsOptions> & { readonly allow?: readonly string[] } = {}) {
	const { allow = [], ...rest } = options;
	const made = createGuardedAgents({ rules: createAddressRules(allow), connectTimeoutMilliseconds: 60_000, ...rest });
	opened.push({ close: made.destroy });
	return made;
}

function get(url: string, made: ReturnType<typeof agents>, options: RequestOptions = {}): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		const secure = url.startsWith("https:");
		const request = (secure ? overHttps : overHttp)(
			url,
			{ ...options, agent: secure ? made.https : made.http },
			async (response: IncomingMessage) => {
				resolve(String(await response.toArray()));
			},
		);
		request.once("error", reject).end();
	});
}

const blocked = { code: "BLOCKED_ADDRESS" };

it.each([
	"127.0.0.1",
	"127.1",
	"0x7f.1",
	"2130706433",
	"0",
	"[::1]",
	"[::ffff:127.0.0.1]",
	"[::127.0.0.1]",
	"localhost",
])("refuses loopback written as %s, over http and https, before anything is sent", async (host) => {
	const { port, heard } = await receiver();
	await expect(get(`http://${host}:${port}/`, agents())).rejects.toMatchObject(blocked);
	await expect(get(`https://${host}:${port}/`, agents())).rejects.toMatchObject(blocked);
	expect(heard).toMatchObject({ most: 0, hosts: [] });
});

it("refuses a name when any of its addresses is blocked, also for the metadata address", async () => {
	const { port, heard } = await receiver();
	for (const addresses of [["127.0.0.1", "169.254.169.254"], ["10.0.0.1"], ["127.0.0.1", "::ffff:10.0.0.1"]]) {
		const made = agents({ allow: ["127.0.0.1"], lookup: async () => addresses });
		await expect(get(`http://storage.example.test:${port}/`, made)).rejects.toMatchObject(blocked);
	}
	expect(heard.most).toBe(0);
});

it("connects to the address that was checked, with the name as Host, and resolves once a connection", async () => {
	const { port, heard } = await receiver();
	const answers = [["127.0.0.1"], ["10.0.0.1"]];
	const made = agents({ allow: ["127.0.0.1"], lookup: async () => answers.shift() ?? [] });
	expect(await get(`http://storage.example.test:${port}/`, made, { headers: { connection: "close" } })).toBe("heard");
	await expect(get(`http://storage.example.test:${port}/`, made)).rejects.toMatchObject(blocked);
	expect(heard.hosts).toEqual([`storage.example.test:${port}`]);
});

it("looks at where the socket really is, before it sends anything", async () => {
	const { port, heard } = await receiver();
	let asked = 0;
	const made = agents({ rules: { allows: () => asked++ === 0 } });
	await expect(get(`http://127.0.0.1:${port}/`, made)).rejects.toMatchObject(blocked);
	expect(heard.hosts).toEqual([]);
});

it("sends the name as SNI over TLS", async () => {
	const { promise: hello, resolve } = Promise.withResolvers<Buffer>();
	const server = createServer((socket) => {
		socket.once("data", (data) => {
			resolve(data as Buffer);
			socket.destroy();
		});
	});
	const port = await listen(server);
	const made = agents({ allow: ["127.0.0.1"], lookup: async () => ["127.0.0.1"] });
	await expect(get(`https://storage.example.test:${port}/`, made)).rejects.toThrow();
	expect((await hello).includes("storage.example.test")).toBe(true);
});

it("goes on to the name's next address when nobody listens at the first", async () => {
	const { port } = await receiver();
	const made = agents({ allow: ["127.0.0.0/8"], lookup: async () => ["127.0.0.2", "127.0.0.1"] });
	expect(await get(`http://storage.example.test:${port}/`, made)).toBe("heard");
});

it("gives up in time on a name server that is silent, and on a server that takes no TLS handshake", async () => {
	const silent = agents({ lookup: () => new Promise(() => {}), connectTimeoutMilliseconds: 100 });
	await expect(get("http://slow.example.test/", silent)).rejects.toMatchObject({
		code: expect.stringMatching(/^ETIME(D)?OUT$/),
	});
	const port = await listen(createServer(() => {}));
	const deaf = agents({ allow: ["127.0.0.1"], connectTimeoutMilliseconds: 100 });
	await expect(get(`https://127.0.0.1:${port}/`, deaf)).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

it("has no more connections at once than it may, those being made included", async () => {
	const { port, heard } = await receiver();
	const made = agents({ allow: ["127.0.0.1"], lookup: async () => ["127.0.0.1"], maxSockets: 3 });
	const answers = await Promise.all(
		Array.from({ length: 30 }, () => get(`http://storage.example.test:${port}/`, made)),
	);
	expect(answers).toEqual(Array(30).fill("heard"));
	expect(heard.most).toBe(3);
});

it("ends its connections when it is destroyed", async () => {
	const { port, heard } = await receiver();
	const made = agents({ allow: ["127.0.0.1"] });
	await get(`http://127.0.0.1:${port}/`, made);
	expect(heard.connections).toBe(1);
	made.destroy();
	await expect.poll(() => heard.connections).toBe(0);
});
