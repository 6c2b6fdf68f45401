import { createAddressRules, parseCidrs } from "@reelmill/outbound";
import { expect, it } from "vitest";

const open = [
	"8.8.8.8",
	"1.1.1.1",
	"100.63.255.255",
	"100.128.0.0",
	"172.15.255.255",
	"172.32.0.0",
	"169.253.255.255",
	"192.1.0.1",
	"198.17.255.255",
	"223.255.255.255",
	...["168.63.129.15", "168.63.129.17", "161.25.255.255", "161.27.0.0", "166.7.255.255", "166.12.0.0"],
	"2606:4700::1111",
	"2a00:1450:4001::1",
	"::ffff:8.8.8.8",
];
const closed = [
	...[
		"0.0.0.0",
		"0.255.0.1",
		"10.0.0.1",
		"100.64.0.0",
		"100.127.255.255",
		"127.0.0.1",
		"127.255.255.255",
		"169.254.169.254",
		"172.16.0.0",
		"172.31.255.255",
	],
	...[
		"192.0.0.8",
		"192.0.2.1",
		"192.88.99.1",
		"192.168.0.1",
		"198.18.0.0",
		"198.19.255.255",
		"198.51.100.1",
		"203.0.113.1",
		"224.0.0.1",
		"239.1.1.1",
		"240.0.0.1",
		"255.255.255.255",
	],
	...[
		"::",
		"::1",
		"::127.0.0.1",
		"::8.8.8.8",
		"::ffff:127.0.0.1",
		"::ffff:0:8.8.8.8",
		"64:ff9b::8.8.8.8",
		"64:ff9b:1::1",
		"100::1",
		"2001::1",
		"2001:db8::1",
		"2002:808:808::1",
	],
	// Where each cloud tells its machines their secrets: one address of each.
	...[
		"168.63.129.16",
		"::ffff:168.63.129.16",
		"100.100.100.200",
		"192.0.0.192",
		"169.254.0.23",
		"169.254.170.2",
		"fd00:ec2::254",
		"fd20:ce::254",
	],
	...["161.26.0.10", "161.26.255.255", "166.8.0.0", "166.9.14.5", "166.11.255.255"],
	...[
		"3fff::1",
		"fc00::1",
		"fdff::1",
		"fe80::1",
		"fe80::1%eth0",
		"fec0::1",
		"ff02::1",
		"5f00::1",
		"4000::1",
		"",
		"example.com",
		"127.0.0.1:80",
		"1.2.3.4.5",
	],
];

it.each(open)("lets %s be reached", (address) => {
	expect(createAddressRules([]).allows(address)).toBe(true);
});

it.each(closed)("keeps %s from being reached", (address) => {
	expect(createAddressRules([]).allows(address)).toBe(false);
});

it("lets the operator open a range, in whichever form its addresses come, and nothing beside it", () => {
	const rules = createAddressRules(["10.1.0.0/16", "fd00:1::/32", "127.0.0.1"]);
	for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd00:1::5", "127.0.0.1"])
		expect(rules.allows(address), address).toBe(true);
	for (const address of ["10.2.0.1", "fd00:2::5", "127.0.0.2", "::1"])
		expect(rules.allows(address), address).toBe(false);
});

it("lets the operator open what only a cloud's own machines reach", () => {
	const rules = createAddressRules(["161.26.0.0/16"]);
	expect([rules.allows("161.26.0.34"), rules.allows("168.63.129.16")]).toEqual([true, false]);
});

it.each(["10.0.0.0/33", "ten/8", "10.0.0.0/8 10.1.0.0/16", "fd00::/129", "example.com", "", "10.0.0.0/-1"])(
	"names %j as no range",
	(entry) => {
		expect(() => parseCidrs(["10.0.0.0/8", entry])).toThrow(JSON.stringify(entry));
	},
);
