import { checkTrustedProxies, checkWorkerNetworks } from "@reelmill/http";
import { describe, expect, it } from "vitest";
import { createClientKeyOf, createIsWithin } from "../../src/client/client-address.ts";

describe("the address that a client is counted by", () => {
	const behindProxies = createClientKeyOf(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);
	const cases: [what: string, peer: string | undefined, forwardedFor: string | null | undefined, key: string][] = [
		["is the peer's where no proxy is named", "203.0.113.9", undefined, "203.0.113.9"],
		["is the peer's, whatever it forwards, where the peer isn't trusted", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
		["is what a trusted proxy forwards", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
		[
			"is the right-most untrusted one: what stands left of it is the client's own word",
			"10.1.2.3",
			"1.1.1.1, 198.51.100.1, 10.9.9.9",
			"198.51.100.1",
		],
		[
			"is found through a chain of proxies of both families",
			"192.0.2.7",
			"198.51.100.1, fd00::1,10.4.4.4",
			"198.51.100.1",
		],
		["is the left-most proxy's where all are trusted", "10.1.2.3", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
		["is the proxy's where it forwards nothing", "10.1.2.3", undefined, "10.1.2.3"],
		[
			"is the last proxy's that could be followed where a word that is no address comes before it",
			"10.1.2.3",
			"198.51.100.1, unknown, 10.4.4.4",
			"10.4.4.4",
		],
		["ignores empty and absurd headers", "10.1.2.3", ", ,010.0.0.1", "10.1.2.3"],
		["is the IPv4 one of an IPv4-mapped peer", "::ffff:203.0.113.9", null, "203.0.113.9"],
		["knows a trusted proxy by its IPv4-mapped address", "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
		["is the /64 network of an IPv6 address, however it is written", "2001:DB8:0:2:ffff::1", null, "2001:db8:0:2::/64"],
		["has no zone", "fe80::1%eth0", null, "fe80:0:0:0::/64"],
		["is without the port that some proxies add", "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
		["is without the brackets and port of an IPv6 address", "10.1.2.3", "[2001:db8::1]:4711", "2001:db8:0:0::/64"],
		["is one for all connections without an address", undefined, "198.51.100.1", "unknown"],
	];
	it.each(cases)("%s", (_, peer, forwardedFor, key) => {
		expect(behindProxies(peer, forwardedFor)).toBe(key);
	});

	it("is told of where a header was ignored, and not where there was none or a trusted proxy sent it", () => {
		const told: string[] = [];
		const note = (peer: string) => void told.push(peer);
		createClientKeyOf([], note)("203.0.113.9", "198.51.100.1");
		const trusting = createClientKeyOf(["10.0.0.0/8"], note);
		trusting("203.0.113.10", "198.51.100.1");
		for (const forwardedFor of [undefined, null, ""]) trusting("203.0.113.11", forwardedFor);
		trusting("10.1.2.3", "198.51.100.1");
		expect(told).toEqual(["203.0.113.9", "203.0.113.10"]);
	});

	it("is never a forwarded one where no proxy is trusted", () => {
		expect(createClientKeyOf([])("127.0.0.1", "198.51.100.1")).toBe("127.0.0.1");
	});

	it("can be forwarded by anyone where everyone is trusted", () => {
		expect(createClientKeyOf(["0.0.0.0/0", "::/0"])("203.0.113.9", "198.51.100.1, 192.0.2.1")).toBe("198.51.100.1");
		expect(createClientKeyOf(["::ffff:10.0.0.0/104"])("10.1.2.3", "198.51.100.1")).toBe("198.51.100.1");
	});

	it("is in a network that it is named with, an IPv6 one by its /64", () => {
		const isWithin = createIsWithin(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "fd00::1"]);
		for (const key of ["10.1.2.3", "192.0.2.7", "2001:db8:0:2::/64", "fd00:0:0:0::/64"])
			expect(isWithin(key), key).toBe(true);
		for (const key of ["11.1.2.3", "192.0.2.8", "2001:db9:0:0::/64", "fd00:0:0:1::/64", "unknown"])
			expect(isWithin(key), key).toBe(false);
		expect(createIsWithin([])("10.1.2.3")).toBe(false);
		expect(() => checkWorkerNetworks(["10.0.0.0/8", "x"])).toThrow('"x"');
	});

	it.each(["10.0.0.0/33", "proxy.example", "", "10.0.0.0/8/8", "::/129"])(
		"can't be found by %j, which is named",
		(entry) => {
			expect(() => checkTrustedProxies(["10.0.0.0/8", entry])).toThrow(JSON.stringify(entry));
		},
	);
});
