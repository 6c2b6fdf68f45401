import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/setup/paths.mjs";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const guide = read("docs/guides/one-machine.md");
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const commands = blocks.join("");

it("has commands that a shell can read", () => {
	expect(blocks.length).toBeGreaterThan(6);
	for (const block of blocks) {
		const { status, stderr } = spawnSync("sh", ["-n"], { input: block, encoding: "utf8" });
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	}
});

describe.each(["server", "transcoder"])("the service of the %s", (app) => {
	const unit = read(`apps/${app}/systemd/reelmill-${app}.service`);
	const { name, files } = JSON.parse(read(`apps/${app}/package.json`));

	it("is copied from where npm has installed it", () => {
		const path = `/opt/reelmill/lib/node_modules/${name}/systemd/reelmill-${app}.service`;
		expect(commands).toContain(`npm install --global --prefix /opt/reelmill ${name}\n`);
		expect(commands).toContain(`cp ${path} /etc/systemd/system/\n`);
		expect(files).toContain("systemd");
		expect(existsSync(join(root, "apps", app, `systemd/reelmill-${app}.service`))).toBe(true);
	});

	it("finds the program, the user and the settings that the commands make", () => {
		expect(unit).toContain(`ExecStart=/opt/reelmill/bin/reelmill-${app}\n`);
		expect(unit).toMatch(new RegExp(`^EnvironmentFile=-?/etc/reelmill/${app}\\.env$`, "m"));
		expect(unit).toContain("\nUser=reelmill\n");
		expect(commands).toContain(`touch /etc/reelmill/${app}.env\n`);
		expect(commands).toContain("useradd --system --home-dir /var/lib/reelmill --shell /usr/sbin/nologin reelmill\n");
		expect(commands).toContain(`systemctl enable --now reelmill-${app}\n`);
	});
});

it("runs the image with what the Containerfile and its commands say", () => {
	const containerfile = read("Containerfile");
	expect(commands).toContain("docker build --file Containerfile --tag reelmill .");
	for (const [said, declared] of [
		["--volume reelmill:/var/lib/reelmill", "VOLUME /var/lib/reelmill\n"],
		["--publish 127.0.0.1:8787:8787", "EXPOSE 8787\n"],
	] as const) {
		expect(commands).toContain(said);
		expect(containerfile).toContain(declared);
	}
});
