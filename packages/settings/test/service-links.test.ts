import { readSettings, settingsInForce, values } from "@reelmill/settings";
import { describe, expect, it } from "vitest";
import { serviceLinks } from "./support/service-links.ts";

const table = {
	PORT: { description: "Where it listens.", value: values.integer(0, 65_535), fallback: 8787 },
	OPS_PORT: { description: "Where it says how it is.", value: values.integer(0, 65_535) },
	SERVICE_NAME: { description: "The account's name.", value: values.text },
} as const;
const read = (environment: Record<string, string>) => readSettings(table, environment, "REELMILL_");

const api = { name: "http", port: 8787 };
const metrics = { name: "metrics", port: 9464 };
const untouched = { PORT: 8787, OPS_PORT: undefined, SERVICE_NAME: undefined };

describe("the variables of Kubernetes' Services", () => {
	it.each([
		["one port", serviceLinks("reelmill", "10.96.0.7", [{ port: 80 }])],
		["named ports", serviceLinks("reelmill", "10.96.0.7", [api, metrics])],
		["an address of IPv6", serviceLinks("reelmill", "fd00::7", [api, metrics])],
		[
			"a port of UDP beside",
			serviceLinks("reelmill", "10.96.0.7", [api, { name: "quic", port: 443, protocol: "UDP" }]),
		],
		["names that begin as ours", serviceLinks("reelmill-server", "10.96.0.7", [api])],
		["a name that is a setting's", serviceLinks("reelmill-ops", "10.96.0.7", [metrics])],
		[
			"several Services",
			{
				...serviceLinks("reelmill", "10.96.0.7", [api]),
				...serviceLinks("reelmill-transcoder", "10.96.0.8", [metrics]),
			},
		],
	])("count as not set: %s", (_, links) => {
		expect(read(links)).toEqual(untouched);
		expect(settingsInForce(table, links, "REELMILL_").map(({ value, is_set }) => [value, is_set])).toEqual([
			["8787", false],
			[null, false],
			[null, false],
		]);
	});

	it("leave the settings beside them", () => {
		const own = { REELMILL_PORT: "80", REELMILL_OPS_PORT: "9000", REELMILL_SERVICE_NAME: "fleet" };
		expect(read({ ...serviceLinks("reelmill", "10.96.0.7", [api]), ...own })).toEqual({
			PORT: 80,
			OPS_PORT: 9000,
			SERVICE_NAME: "fleet",
		});
	});

	const links = serviceLinks("reelmill", "10.96.0.7", [api]);
	it.each<[string, Record<string, string>, string]>([
		["a port that is an address, without a Service", { REELMILL_PORT: "tcp://10.96.0.7:8787" }, "REELMILL_PORT must"],
		["a Service's host alone", { REELMILL_SERVICE_HOST: "10.96.0.7" }, "REELMILL_SERVICE_HOST is not a setting"],
		["a misspelt name beside a Service", { ...links, REELMILL_PROT: "80" }, "REELMILL_PROT is not a setting"],
		["a wrong port beside a Service", { ...links, REELMILL_PORT: "tcp://10.0.0.1:1" }, "REELMILL_PORT must"],
		[
			"a link to another address than the Service's",
			{ ...links, REELMILL_PORT_81_TCP: "tcp://10.0.0.1:81" },
			"REELMILL_PORT_81_TCP is not a setting",
		],
		[
			"a name of a port that the Service lacks",
			{ ...links, REELMILL_SERVICE_PORT_HTTPS: "443" },
			"REELMILL_SERVICE_PORT_HTTPS is not a setting",
		],
	])("hide no mistake: %s", (_, environment, message) => {
		expect(() => read(environment)).toThrow(message);
	});
});
