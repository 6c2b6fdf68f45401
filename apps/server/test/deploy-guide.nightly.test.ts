import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsIn } from "../../../scripts/documents/commands.ts";
import { findProgram } from "../../../scripts/setup/paths.mjs";
import { readConfig } from "../src/config.ts";
import { guideBlock } from "./support/guide-block.ts";

const run = promisify(execFile);
const nft = findProgram("nft") ?? "/usr/sbin/nft";
const analyze = findProgram("systemd-analyze") ?? "systemd-analyze";
const own = fileURLToPath(new URL("..", import.meta.url));
/** What changes users, packages and services of the machine: here it is only noted. */
const noted = ["apt-get", "npm", "systemctl", "useradd", "runuser", "chown", "curl"];

let machine: string;
let printed: string;
const at = (path: string) => join(machine, path);
const read = (path: string) => readFile(at(path), "utf8");

/** Runs all commands of the guide in one shell, as it says, below a folder in place of the machine's root. */
beforeAll(async () => {
	machine = await mkdtemp(join(tmpdir(), "reelmill-deploy-"));
	for (const path of ["bin", "etc/caddy", "etc/systemd/system", "opt/reelmill/lib/node_modules/@reelmill"])
		await mkdir(at(path), { recursive: true });
	for (const path of ["var/lib/reelmill", "var/backups/reelmill/2026-11-24"])
		await mkdir(at(path), { recursive: true });
	await symlink(own, at("opt/reelmill/lib/node_modules/@reelmill/server"));
	for (const name of ["tenant", "master"]) await writeFile(at(`var/lib/reelmill/${name}.key`), `the ${name}'s key\n`);
	for (const name of noted) {
		const input = name === "runuser" ? `case $* in *psql*) cat >> '${at("calls")}';; esac\n` : "";
		await writeFile(at(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >> '${at("calls")}'\n${input}`);
		await chmod(at(`bin/${name}`), 0o755);
	}
	const guide = "docs/guides/deploy.md";
	const text = await readFile(new URL(`../../../${guide}`, import.meta.url), "utf8");
	const blocks = commandsIn(guide, text).filter(({ runBy }) => runBy !== undefined);
	const commands = blocks.map((block) => block.text.replaceAll(/ \/(?=(?:etc|opt|var)\/)/g, ` ${machine}/`)).join("");
	const { stdout } = await run("sh", ["-euc", commands.replace("video.example.com", "films.example.org")], {
		env: { PATH: `${at("bin")}:${process.env.PATH}` },
	});
	printed = stdout;
});
afterAll(() => rm(machine, { recursive: true, force: true }));

describe("the commands of the guide to a deployment", () => {
	it("install, start and show what the next step needs, in this order", async () => {
		const calls = (await read("calls")).trim().split("\n");
		const order = [
			"apt-get install",
			"npm install --global --prefix",
			"runuser -u postgres -- createdb",
			"useradd",
			"systemctl enable --now reelmill-server",
			"curl",
			"systemctl restart nftables",
			"systemctl restart caddy",
			"systemctl enable --now reelmill-backup.timer",
			"systemctl start reelmill-backup",
		];
		const places = order.map((words) => calls.findIndex((call) => call.startsWith(words)));
		expect(places).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
		expect(places).toHaveLength(order.length);
		for (const words of ["the tenant's key", "the master's key", "REELMILL_CONSOLE_SECRET=", "2026-11-24"])
			expect(printed).toContain(words);
	});

	it("write settings that the server takes, for root's eyes alone", async () => {
		const settings = Object.fromEntries(
			(await read("etc/reelmill/server.env"))
				.trim()
				.split("\n")
				.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
		);
		const config = readConfig(settings);
		const [, password = ""] = /password '([0-9a-f]{64})'/.exec(await read("calls")) ?? [];
		expect(config).toMatchObject({
			BASE_URL: "https://films.example.org",
			DATABASE_URL: `postgres://reelmill:${password}@127.0.0.1/reelmill`,
			TRUSTED_PROXIES: ["127.0.0.1"],
			OPS_PORT: 9464,
		});
		expect(config.ADMIN_KEY).not.toBe(config.CONSOLE_SECRET);
		expect((await stat(at("etc/reelmill/server.env"))).mode & 0o777).toBe(0o600);
	});

	it("write a firewall that nft takes, and that admits ssh and the web alone", async () => {
		const file = await read("etc/nftables.conf");
		expect(file.match(/dport .* accept/g)).toEqual([
			"dport 546 accept",
			"dport { 22, 80, 443 } accept",
			"dport 443 accept",
		]);
		expect(file).toContain("hook input priority filter; policy drop;");
		const namespaces = ["--user", "--map-root-user", "--net"];
		await expect(
			run("unshare", [...namespaces, nft, "--check", "--file", at("etc/nftables.conf")]),
		).resolves.toBeDefined();
	});

	it("write the Caddyfile of the guide to proxies, with the own name, and Caddy takes it", async () => {
		const file = await read("etc/caddy/Caddyfile");
		expect(file).toBe((await guideBlock("caddyfile")).replace("video.example.com", "films.example.org"));
		const environment = { PATH: process.env.PATH, HOME: machine, XDG_DATA_HOME: machine, XDG_CONFIG_HOME: machine };
		const args = ["validate", "--adapter", "caddyfile", "--config", at("etc/caddy/Caddyfile")];
		await expect(run("caddy", args, { env: environment })).resolves.toBeDefined();
	});

	it("install units without a mistake, of which the backup's runs the program that comes with the server", async () => {
		const unit = await read("etc/systemd/system/reelmill-backup.service");
		const [, program = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
		expect(program).toBe("/opt/reelmill/lib/node_modules/@reelmill/server/deploy/reelmill-backup");
		expect((await stat(at(program))).mode & 0o111).toBe(0o111);
		await writeFile(at("etc/systemd/system/reelmill-backup.service"), unit.replace(program, at(program)));
		const units = ["service", "timer"].map((kind) => at(`etc/systemd/system/reelmill-backup.${kind}`));
		const { stdout, stderr } = await run(analyze, ["verify", "--man=no", ...units]);
		expect(`${stdout}${stderr}`).not.toContain("reelmill-backup");
	});
});
