import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "@reelmill/contracts";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../../scripts/setup/paths.mjs";
import { guideBlock, guideBlocks } from "./support/guide-block.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
/** What no stranger may reach, of the contract: the first segments of the operators' and the workers' paths. */
const closed = firstSegments((plane) => plane === "admin" || plane === "internal");

function firstSegments(isChosen: (plane: string) => boolean): string[] {
	const chosen = Object.values(api).filter(({ plane }) => isChosen(plane));
	return [...new Set(chosen.map(({ path }) => path.split("/")[1] ?? ""))].sort();
}

/** The paths that a proxy's file closes, and the networks that it opens them to. */
type Rule = { readonly paths: readonly string[]; readonly networks: readonly string[] };
const networks = ["10.0.0.0/8", "127.0.0.1"];

/** All that a pattern finds, split at what stands between. */
const found = (text: string, pattern: RegExp): string[] =>
	Array.from(text.matchAll(pattern), ([, one = ""]) => one.split(/[ |]/)).flat();

type Traefik = {
	readonly http: {
		readonly routers: Readonly<Record<string, Router>>;
		readonly middlewares: Readonly<Record<string, { ipAllowList?: { sourceRange: string[] } }>>;
		readonly services: Readonly<Record<string, { loadBalancer: { serversTransport: string } }>>;
		readonly serversTransports: object;
	};
};
type Router = {
	rule: string;
	entryPoints: string[];
	middlewares: string[];
	service: string;
	tls: { certResolver: string };
};

const ofCaddy = (file: string): Rule => ({
	paths: found(file, /^\t\tpath (\/\w+\/\*(?: \/\w+\/\*)*)$/gm).map((path) => path.slice(1, -2)),
	networks: found(file, /^\t\tnot remote_ip (.+)$/gm),
});

const rules: Readonly<Record<string, () => Promise<Rule>>> = {
	async nginx() {
		const [, location = ""] = /^\tlocation ~ (.*?)^\t\}/ms.exec(await guideBlock("nginx")) ?? [];
		expect(location).toContain("deny all;");
		return { paths: found(location, /^\^\/\(([\w|]+)\)\/ \{/g), networks: found(location, /allow (.+);/g) };
	},
	Caddy: async () => ofCaddy(await guideBlock("caddyfile")),
	async Traefik() {
		const { http } = parse((await guideBlocks("yaml"))[1] ?? "") as Traefik;
		const { rule = "", middlewares = [] } = http.routers.inside ?? {};
		const lists = middlewares.flatMap((name) => http.middlewares[name]?.ipAllowList?.sourceRange ?? []);
		return { paths: found(rule, /PathRegexp\(`\^\/\(([\w|]+)\)\/`\)/g), networks: lists };
	},
	async HAProxy() {
		const rule = /path_beg (.+) \} !\{ src (.+) \}$/m.exec(await guideBlock("haproxy"));
		const [, paths = "", from = ""] = rule ?? [];
		return { paths: paths.split(" ").map((path) => path.replaceAll("/", "")), networks: from.split(" ") };
	},
};

describe("the proxies of the guide", () => {
	it.each(Object.entries(rules))("%s closes what the contract has of operators and workers", async (_, ruleOf) => {
		const { paths, networks: open } = await ruleOf();
		expect({ paths: [...paths].sort(), open }).toEqual({ paths: closed, open: networks });
	});

	it.each(["deploy/compose/Caddyfile", "apps/server/deploy/Caddyfile"])("and so does %s", (file) => {
		expect([...ofCaddy(read(file)).paths].sort()).toEqual(closed);
	});

	it("and the ingress of the chart leads to none of it", () => {
		const { paths } = parse(read("deploy/helm/reelmill/values.yaml")).ingress as { paths: string[] };
		expect(paths.map((path) => path.slice(1)).filter((path) => closed.includes(path))).toEqual([]);
		expect(paths).toEqual(expect.arrayContaining(["/v1", "/uploads", "/videos"]));
	});
});

it("Traefik's two files name what they have", async () => {
	const [fixed, dynamic] = (await guideBlocks("yaml")).map((text) => parse(text));
	const { routers, middlewares, services, serversTransports } = (dynamic as Traefik).http;
	for (const { entryPoints, middlewares: used, service, tls } of Object.values(routers)) {
		expect(Object.keys(fixed.entryPoints)).toEqual(expect.arrayContaining(entryPoints));
		expect(Object.keys(middlewares)).toEqual(expect.arrayContaining(used));
		expect(Object.keys(fixed.certificatesResolvers)).toContain(tls.certResolver);
		expect(Object.keys(serversTransports)).toContain(services[service]?.loadBalancer.serversTransport);
	}
	// Traefik takes the router with the longest rule.
	const { inside, reelmill } = routers;
	expect(inside?.rule.length).toBeGreaterThan(reelmill?.rule.length ?? Number.POSITIVE_INFINITY);
	expect(inside?.rule.startsWith(`${reelmill?.rule} && `)).toBe(true);
});
