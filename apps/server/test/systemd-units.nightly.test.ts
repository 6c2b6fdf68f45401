import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../../scripts/setup/paths.mjs";

const run = promisify(execFile);
const analyze = findProgram("systemd-analyze") ?? "systemd-analyze";
const units = ["server/systemd/reelmill-server", "transcoder/systemd/reelmill-transcoder"].map((path) =>
	fileURLToPath(new URL(`../../${path}.service`, import.meta.url)),
);
let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-units-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** What bubblewrap can't work under. */
const leftOut = [
	"ProcSubset",
	"ProtectHostname",
	"ProtectKernelLogs",
	"ProtectKernelTunables",
	"ProtectProc",
	"RestrictNamespaces",
];

describe.each(units.map((path) => [basename(path), path] as const))("%s", (name, path) => {
	it("is a unit without a mistake", async () => {
		const program = join(directory, "program");
		await writeFile(program, "#!/bin/sh\n");
		await chmod(program, 0o755);
		const copy = join(directory, name);
		await writeFile(copy, (await readFile(path, "utf8")).replace(/^ExecStart=.*$/m, `ExecStart=${program}`));
		const { stdout, stderr } = await run(analyze, ["verify", "--man=no", copy]);
		expect(`${stdout}${stderr}`).not.toContain(name);
	});

	it("is rated no worse than the guide says", async () => {
		const { stdout } = await run(analyze, ["security", "--offline=true", "--threshold=31", "--no-pager", path]);
		console.log(stdout.trim().split("\n").at(-1));
		expect(stdout).toContain(`Overall exposure level for ${name}: 3.1`);
	});

	it("runs its own program, and leaves bubblewrap what it needs", async () => {
		const settings = Object.fromEntries(
			(await readFile(path, "utf8")).split("\n").flatMap((line) => {
				const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
				return key === undefined ? [] : [[key, value]];
			}),
		);
		expect(settings).toMatchObject({
			ExecStart: `/opt/reelmill/bin/${name.replace(".service", "")}`,
			NoNewPrivileges: "yes",
			ProtectSystem: "strict",
			WantedBy: "multi-user.target",
			SystemCallFilter: "@system-service @mount seccomp sethostname",
		});
		for (const setting of leftOut) expect(settings).not.toHaveProperty(setting);
		const manifest = await readFile(join(path, "../../package.json"), "utf8");
		expect(JSON.parse(manifest)).toMatchObject({
			bin: { [name.replace(".service", "")]: "./src/main.ts" },
			files: expect.arrayContaining(["dist", "systemd"]),
		});
	});
});

it("the transcoder's timer at night, and what it changes of the unit, are without a mistake", async () => {
	const program = join(directory, "program");
	const [unit = ""] = units.filter((path) => path.includes("transcoder"));
	const placed = (name: string) => fileURLToPath(new URL(`../../../deploy/placed/${name}`, import.meta.url));
	const nightly = join(directory, "nightly", "reelmill-transcoder.service.d");
	await mkdir(nightly, { recursive: true });
	const copies = [
		[unit, join(nightly, "..", "reelmill-transcoder.service")],
		[placed("nightly.conf"), join(nightly, "nightly.conf")],
		[placed("reelmill-transcoder.timer"), join(nightly, "..", "reelmill-transcoder.timer")],
	] as const;
	for (const [from, to] of copies)
		await writeFile(to, (await readFile(from, "utf8")).replaceAll(/\/opt\/reelmill\/bin\/\S+/g, program));
	const { stdout, stderr } = await run(
		analyze,
		["verify", "--man=no", ...copies.map(([, to]) => to).filter((to) => !to.endsWith(".conf"))],
		{
			env: { ...process.env, SYSTEMD_UNIT_PATH: `${join(directory, "nightly")}:` },
		},
	);
	expect(`${stdout}${stderr}`).not.toMatch(/reelmill-transcoder|nightly/);
});

/** Runs bubblewrap as ffmpeg is run, after `before`, in namespaces that a test may change without root. */
const confined = (before: string) => {
	const bubblewrap = findProgram("bwrap") ?? "bwrap";
	const mounts = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
	const script = `${before} && exec ${[bubblewrap, "--unshare-all", "--unshare-user", ...mounts, "true"].join(" ")}`;
	return run("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script]);
};

it("shows why: bubblewrap's own /proc is refused below a mount over /proc, as ProtectKernelTunables makes one", async () => {
	await expect(confined("true")).resolves.toMatchObject({ stderr: "" });
	// Over each /proc: the kernel is content with one that is wholly visible, such as that of a chroot of the machine.
	const each = `for at in $(awk '$3 == "proc" { print $2 }' /proc/mounts)`;
	const cover = 'if [ -d "$at/sys" ]; then mount --bind "$at/sys" "$at/sys" && mount -o remount,bind,ro "$at/sys"; fi';
	const protect = `${each}; do ${cover} || exit; done`;
	await expect(confined(protect)).rejects.toThrow(/bwrap: Can't mount proc/);
});
