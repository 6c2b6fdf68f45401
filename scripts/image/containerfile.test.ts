import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../setup/paths.mjs";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const containerfile = read("Containerfile");
const ignored = read(".dockerignore").split("\n");
const commands = ["reelmill-server", "reelmill-transcoder", "reelmill-health"];
const help = (app: string): string => read(`apps/${app}/src/config.ts`);

describe("the Containerfile", () => {
	it("copies only what is there", () => {
		const copied = [...containerfile.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path = ""]) => path);
		expect(copied).toEqual([".", "deploy/image/bin/"]);
		for (const path of copied) expect(existsSync(join(root, path))).toBe(true);
		const admitted = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1).split("*")[0] ?? "");
		for (const path of admitted)
			expect(existsSync(join(root, path.slice(0, path.lastIndexOf("/") + 1))), path).toBe(true);
	});

	it("starts commands that it has", () => {
		const started = [...containerfile.matchAll(/CMD \["([\w-]+)"/g)].map(([, command]) => command);
		expect(started).toEqual(["reelmill-health", "reelmill-server"]);
		for (const command of commands) expect(existsSync(join(root, "deploy/image/bin", command))).toBe(true);
	});

	it("is run by a user without rights, with one folder for data", () => {
		expect(containerfile).toMatch(/^USER 10001:10001$/m);
		expect(containerfile).toMatch(/^VOLUME \/var\/lib\/reelmill$/m);
	});
});

describe.each(["server", "transcoder"])("the command of the %s", (app) => {
	const command = read(`deploy/image/bin/reelmill-${app}`);

	it("starts what the package builds", () => {
		const { name, bin, publishConfig } = JSON.parse(read(`apps/${app}/package.json`));
		expect(command).toContain(`/opt/reelmill/node_modules/${join(name, publishConfig.bin[`reelmill-${app}`])} "$@"`);
		expect(Object.keys(bin)).toEqual([`reelmill-${app}`]);
	});

	it("sets only settings of its own program", () => {
		const settings = [...command.matchAll(/export REELMILL_(\w+)=/g)].map(([, name]) => name);
		expect(settings).not.toEqual([]);
		for (const name of settings) expect(help(app)).toContain(`\t${name}: {`);
	});
});

it("builds with a Node and a pnpm that the repository names", () => {
	const script = read("deploy/image/build.sh");
	expect(script).toContain("scripts/image/lay-out.ts");
	const { optionalDependencies } = JSON.parse(read("package.json"));
	for (const machine of ["linux-x64", "linux-arm64"]) {
		expect(script).toContain(`machine=${machine} `);
		const version = optionalDependencies[`node-${machine}`];
		expect(read("pnpm-lock.yaml")).toContain(`  node-${machine}@${version}:\n    resolution: {integrity: sha512-`);
	}
	expect(read("scripts/setup/dependencies.mjs")).toMatch(/pnpm = "pnpm@[\d.]+"/);
});
