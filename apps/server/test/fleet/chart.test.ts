import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { serviceLinks } from "../../../../packages/settings/test/support/service-links.ts";
import { readConfig } from "../../src/config.ts";
import { settingsOf } from "./programs.ts";

const read = (path: string) => readFile(new URL(`../../../../deploy/helm/reelmill/${path}`, import.meta.url), "utf8");

type Schema = {
	readonly description?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly additionalProperties?: boolean | object;
};

/** Returns the paths of all values that the schema has, and of those among them that it doesn't describe. */
function pathsOf({ properties = {} }: Schema, path: string): { all: string[]; silent: string[] } {
	const parts = Object.entries(properties).map(([name, schema]) => {
		const own = `${path}${name}`;
		const { all, silent } = pathsOf(schema, `${own}.`);
		return { all: [own, ...all], silent: schema.description ? silent : [own, ...silent] };
	});
	return { all: parts.flatMap(({ all }) => all), silent: parts.flatMap(({ silent }) => silent) };
}

/** Returns the paths of all values, but not below those that the schema leaves open. */
const pathsIn = (values: Readonly<Record<string, unknown>>, { properties = {} }: Schema, path: string): string[] =>
	Object.entries(values).flatMap(([name, value]) => {
		const schema = properties[name];
		const isOpen = schema?.properties === undefined;
		return [`${path}${name}`, ...(isOpen ? [] : pathsIn(value as Record<string, unknown>, schema, `${path}${name}.`))];
	});

describe("the Helm chart", () => {
	it("sets what the programs have", async () => {
		for (const program of ["server", "transcoder"]) {
			const names = (await read(`templates/${program}.yaml`)).match(/REELMILL_[A-Z_]+/g) ?? [];
			expect(names.length).toBeGreaterThan(6);
			expect([...(await settingsOf(`reelmill-${program}`))]).toEqual(expect.arrayContaining(names));
		}
	});

	it("describes each value, and has a default for each that it describes", async () => {
		const schema = JSON.parse(await read("values.schema.json")) as Schema;
		const { all, silent } = pathsOf(schema, "");
		expect(silent).toEqual([]);
		const given = pathsIn(parse(await read("values.yaml")) as Record<string, unknown>, schema, "");
		expect(given.sort()).toEqual(all.filter((path) => path !== "global").sort());
	});

	it("gives each program the ports that its Services and probes lead to", async () => {
		const services = await read("templates/services.yaml");
		for (const [file, ports] of [
			["templates/server.yaml", ["http", "metrics"]],
			["templates/transcoder.yaml", ["metrics"]],
		] as const) {
			const text = await read(file);
			const named = Array.from(text.matchAll(/\{ name: (\w+), containerPort: (\d+) \}/g), ([, name, port]) => [
				name,
				port,
			]);
			expect(named.map(([name]) => name)).toEqual(ports);
			expect(text).toContain(`{ name: REELMILL_OPS_PORT, value: "${Object.fromEntries(named).metrics}" }`);
			for (const [, port] of text.matchAll(/httpGet: \{ path: \S+, port: (\w+) \}/g)) expect(ports).toContain(port);
		}
		for (const [, target] of services.matchAll(/targetPort: (\w+)/g)) expect(["http", "metrics"]).toContain(target);
	});

	it("gives a server longer to stop than it takes", async () => {
		const text = await read("templates/server.yaml");
		expect(text).toContain(
			"terminationGracePeriodSeconds: {{ add .Values.server.preStopSeconds .Values.server.drainSeconds 15 }}",
		);
	});
});

it("a server starts beside Services of the chart's names, of which one takes a setting's name", () => {
	const links = ["reelmill", "reelmill-metrics", "reelmill-ops"].flatMap((service) =>
		Object.entries(serviceLinks(service, "10.96.0.7", [{ name: "http", port: 8787 }])),
	);
	const { PORT, OPS_PORT } = readConfig(Object.fromEntries(links));
	expect([PORT, OPS_PORT]).toEqual([8787, undefined]);
});
