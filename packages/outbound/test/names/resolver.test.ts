import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createResolver, createWebhookTransport } from "@reelmill/outbound";
import { describe, expect, it } from "vitest";
import { parseHosts } from "../../src/names/hosts-file.ts";
import { namesToAsk, parseSearchList } from "../../src/names/search-list.ts";
import { dnsServer } from "../support/dns-server.ts";

const nowhere = join(tmpdir(), "reelmill-no-such-file");
const noFiles = { hostsFile: nowhere, settingsFile: nowhere };
const seconds = async (work: Promise<unknown>): Promise<number> => {
	const startedAt = performance.now();
	await work.catch(() => undefined);
	return (performance.now() - startedAt) / 1000;
};
const codeOf = (work: Promise<unknown>) =>
	work.then(
		() => "resolved",
		({ code }: NodeJS.ErrnoException) => code,
	);

describe("a resolver", () => {
	it("asks DNS, once for all who ask at once and within a second after", async () => {
		await using dns = await dnsServer(() => ({ addresses: ["192.0.2.1", "192.0.2.2"], milliseconds: 20 }));
		const resolve = createResolver({ ...noFiles, servers: dns.servers });
		const found = await Promise.all(["a.example", "A.example", "a.example"].map(resolve));
		expect(await resolve("a.example")).toEqual(["192.0.2.1", "192.0.2.2"]);
		expect(found).toEqual([found[0], found[0], found[0]]);
		expect(dns.asked).toEqual(["a.example", "a.example"]);
	});

	it("knows the names of the hosts file, later additions too, and asks nobody for them", async () => {
		await using dns = await dnsServer(() => ({ code: 2 }));
		const hostsFile = join(tmpdir(), `reelmill-hosts-${process.pid}`);
		await writeFile(
			hostsFile,
			"127.0.0.1 localhost\n10.0.0.1\tDatabase store # store2\nfd00::1 store\nno-address name\n",
		);
		const resolve = createResolver({ ...noFiles, hostsFile, servers: dns.servers });
		expect(await resolve("store")).toEqual(["10.0.0.1", "fd00::1"]);
		expect(await resolve("database.")).toEqual(["10.0.0.1"]);
		expect(await resolve("localhost")).toEqual(["127.0.0.1"]);
		expect(await resolve("app.localhost")).toEqual(["127.0.0.1", "::1"]);
		await writeFile(`${hostsFile}-new`, "10.0.0.9 newcomer\n");
		await rename(`${hostsFile}-new`, hostsFile);
		expect(await createResolver({ ...noFiles, hostsFile, servers: dns.servers })("newcomer")).toEqual(["10.0.0.9"]);
		expect(dns.asked).toEqual([]);
	});

	it("looks for short names in the domains of resolv.conf", async () => {
		await using dns = await dnsServer((name) =>
			name === "store.media.svc.cluster.local" ? { addresses: ["10.0.0.3"] } : {},
		);
		const settingsFile = join(tmpdir(), `reelmill-resolv-${process.pid}`);
		await writeFile(
			settingsFile,
			"nameserver 127.0.0.1\nsearch svc.cluster.local cluster.local.\noptions ndots:5 rotate\n",
		);
		const resolve = createResolver({ ...noFiles, settingsFile, servers: dns.servers });
		expect(await resolve("store.media")).toEqual(["10.0.0.3"]);
		expect(await codeOf(resolve("none.media"))).toBe("ENOTFOUND");
		expect([...new Set(dns.asked)]).toEqual([
			"store.media.svc.cluster.local",
			"none.media.svc.cluster.local",
			"none.media.cluster.local",
			"none.media",
		]);
	});

	it("waits no longer than shortly for the family of addresses that a server never tells of", async () => {
		await using dns = await dnsServer(() => ({ addresses: ["192.0.2.1"] }));
		const asks = dns.asked;
		await using half = await dnsServer((name) =>
			asks.push(name) % 2 === 1 ? { addresses: ["192.0.2.1"] } : { silent: true },
		);
		expect(await createResolver({ ...noFiles, servers: half.servers })("a.example")).toEqual(["192.0.2.1"]);
	});

	it("gives up at its deadline, whatever the servers do, and blames them", async () => {
		await using dns = await dnsServer(() => ({ silent: true }));
		const resolverOf = (deadlineMilliseconds: number) =>
			createResolver({ ...noFiles, servers: dns.servers, deadlineMilliseconds });
		const [impatient, patient] = [resolverOf(200), resolverOf(60_000)];
		// DNS itself is given up after 3 s.
		const first = await Promise.race([
			codeOf(impatient("a.example")).then((code) => `deadline: ${code}`),
			codeOf(patient("a.example")).then((code) => `DNS: ${code}`),
		]);
		expect(first).toBe("deadline: ETIMEOUT");
		expect(await codeOf(impatient("a.example"))).toBe("ETIMEOUT");
	});

	it.each([
		["SERVFAIL", 2, "ESERVFAIL"],
		["REFUSED", 5, "EREFUSED"],
	])("asks no other source where DNS says %s", async (_, code, expected) => {
		await using dns = await dnsServer(() => ({ code }));
		expect(await codeOf(createResolver({ ...noFiles, servers: dns.servers })("localhost.example"))).toBe(expected);
	});
});

describe("names that hang", () => {
	it("hold up no other name, however many they are", async () => {
		await using dns = await dnsServer((name) =>
			name.endsWith(".hangs") ? { silent: true } : { addresses: ["192.0.2.1"] },
		);
		const deadlineMilliseconds = 60_000;
		const resolve = createResolver({ ...noFiles, servers: dns.servers, namesAtOnce: 16, deadlineMilliseconds });
		const hanging = Array.from({ length: 80 }, (_, index) => codeOf(resolve(`${index}.hangs`)));
		const others = Array.from({ length: 8 }, (_, index) => seconds(resolve(`${index}.example`)));
		// Eighty names give way in turns of half a second, sixteen at a time: the others are after them in the queue, which
		// takes 2.5 s. If no name gave way, each turn would take the 3 s after which DNS is given up, and the queue 15 s.
		expect(Math.max(...(await Promise.all(others)))).toBeLessThan(12);
		expect(await resolve("0.example")).toEqual(["192.0.2.1"]);
		expect(new Set(await Promise.all(hanging))).toEqual(new Set(["ETIMEOUT"]));
	});

	it("take none of the threads that files are read with", async () => {
		await using dns = await dnsServer((name) => (name.endsWith(".fails") ? { code: 2 } : { silent: true }));
		const resolve = createResolver({ ...noFiles, servers: dns.servers });
		const hanging = Array.from({ length: 64 }, (_, index) =>
			codeOf(resolve(index % 2 === 0 ? `${index}` : `${index}.fails`)),
		);
		const first = await Promise.race([
			Promise.all(Array.from({ length: 16 }, () => readFile(import.meta.filename))).then(() => "files"),
			...hanging.filter((_, index) => index % 2 === 0),
		]);
		expect(first).toBe("files");
		await Promise.all(hanging);
	});

	it("end a webhook's attempt as a timeout, which the address's rules have no say in", async () => {
		await using dns = await dnsServer((name) =>
			name === "inside.example" ? { addresses: ["127.0.0.1"] } : { silent: true },
		);
		const transportWith = (deadlineMilliseconds: number) =>
			createWebhookTransport({
				allow: [],
				lookup: createResolver({ ...noFiles, servers: dns.servers, deadlineMilliseconds }),
			});
		const [impatient, patient] = [transportWith(300), transportWith(60_000)];
		const request = { headers: {}, body: Buffer.from("{}") };
		expect(await impatient.send({ ...request, url: "http://a.hangs/" })).toEqual({ status: null, error: "timeout" });
		await patient.prepare?.("http://inside.example/");
		expect(await patient.send({ ...request, url: "http://inside.example/" })).toEqual({
			status: null,
			error: "blocked_address",
		});
		await Promise.all([impatient.close(), patient.close()]);
	});
});

describe("the system's files", () => {
	it("are read as hosts(5) and resolv.conf(5) say, and anything else in them is passed over", () => {
		expect([...parseHosts("\r\n# all\n::1 a A b\r\n127.0.0.1 a\n::1 a\n300.1.1.1 c\n10.0.0.1\n")]).toEqual([
			["a", ["::1", "127.0.0.1"]],
			["b", ["::1"]],
		]);
		expect(parseSearchList("")).toEqual({ domains: [], dots: 1 });
		expect(parseSearchList("domain a\nsearch b. c # d\noptions ndots:x edns0 ndots:3\n")).toEqual({
			domains: ["b", "c"],
			dots: 3,
		});
		expect(parseSearchList(`search ${"a ".repeat(50)}`).domains).toHaveLength(6);
		expect(namesToAsk("a.b", { domains: ["c"], dots: 1 })).toEqual(["a.b", "a.b.c"]);
		expect(namesToAsk("a", { domains: ["c"], dots: 1 })).toEqual(["a.c", "a"]);
		expect(namesToAsk("a.", { domains: ["c"], dots: 1 })).toEqual(["a"]);
	});
});
