import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConfinementPart, checkConfinement, processVideo, type Tools } from "../../src/index.ts";
import { findProgram } from "../../src/run/find-program.ts";
import { openPrograms } from "../../src/run/programs.ts";
import { refused, unknown } from "../../src/run/system-calls.ts";
import { type Folder, job, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let server: Server;
beforeAll(async () => {
	folder = await openFolder();
	server = createServer((socket) => socket.on("error", () => {}).end("reached\n"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
	server.close();
	await folder.close();
});

/** Perl stands in for ffmpeg: it can try what a program could that a source has taken over. */
const perl: Tools = { ...tools, ffmpeg: "/usr/bin/perl" };
/** Without these programs. */
const lacking =
	(...names: string[]) =>
	(name: string) =>
		names.includes(name) ? Promise.resolve(null) : findProgram(name);
type Options = NonNullable<Parameters<typeof openPrograms>[1]>;

const isRoot = process.getuid?.() === 0;
const ofRoot = isRoot ? (["user"] as const) : [];
/** The ways to run programs from the one that confines most to the one that does least, and what each lacks. */
const ways: { name: string; options: Options; missing: ConfinementPart[] }[] = [
	{ name: "in bubblewrap", options: {}, missing: [] },
	{ name: "in bubblewrap without setpriv", options: { find: lacking("setpriv") }, missing: [...ofRoot] },
	{ name: "without bubblewrap", options: { find: lacking("bwrap") }, missing: ["files", "system_calls"] },
	{
		name: "without bubblewrap and unshare",
		options: { find: lacking("bwrap", "unshare") },
		missing: ["files", "network", "system_calls"],
	},
	{
		name: "without any of them",
		options: { find: lacking("bwrap", "unshare", "setpriv") },
		missing: ["files", "network", "privileges", "system_calls", ...ofRoot],
	},
];
const confined = ways.filter(({ missing }) => !missing.includes("privileges"));

async function run(
	script: string,
	{ options = {}, ...files }: { options?: Options; reads?: string[]; writes?: string[]; devices?: string[] } = {},
): Promise<string> {
	const programs = await openPrograms(perl, options);
	return String((await programs.run("ffmpeg", ["-e", script], files)).stdout);
}
/** The numbers of errors that the calls end with, 0 where they succeed. */
const errorsOf = async (calls: readonly string[]) => {
	const tries = calls.map((call) => `$! = 0; print((syscall(${call}) == -1 ? $! + 0 : 0), " ");`);
	return (await run(tries.join("\n"))).trim().split(" ").map(Number);
};
const number = (calls: typeof refused, name: string) => calls[name]?.[process.arch === "arm64" ? 1 : 0] as number;
const status = async (options: Options): Promise<Record<string, string>> => {
	const text = await run(`open(F, "/proc/self/status"); print <F>;`, { options });
	return Object.fromEntries(text.split("\n").map((line) => line.split(":\t") as [string, string]));
};

it("tries a whole confinement once in a process, and one that lacks a part each time", async () => {
	const tries = folder.path("tries");
	const counting = folder.path("bwrap");
	await writeFile(counting, `#!/bin/sh\necho >> ${tries}\nexec ${await findProgram("bwrap")} "$@"\n`);
	await chmod(counting, 0o755);
	const opened = async (...lacks: string[]) => {
		await writeFile(tries, "");
		const find = (name: string) => (name === "bwrap" ? Promise.resolve(counting) : lacking(...lacks)(name));
		const { missing } = await openPrograms(perl, { find });
		return { missing, tries: (await readFile(tries, "utf8")).length };
	};
	expect([await opened(), await opened()]).toEqual([
		{ missing: [], tries: 2 },
		{ missing: [], tries: 0 },
	]);
	if (isRoot)
		expect([await opened("setpriv"), await opened("setpriv")]).toEqual([
			{ missing: ["user"], tries: 2 },
			{ missing: ["user"], tries: 2 },
		]);
});

it.each(ways)("says what is missing $name", async ({ options, missing }) => {
	const warnings: object[] = [];
	const logger = { debug() {}, info() {}, warn: (fields: object) => void warnings.push(fields), error() {} };
	expect((await openPrograms(perl, { ...options, logger })).missing).toEqual(missing);
	expect(warnings).toEqual(missing.length === 0 ? [] : [{ missing, failures: [] }]);
	const required = openPrograms({ ...perl, confinement: "required" }, options);
	if (missing.length === 0) await required;
	else await expect(required).rejects.toThrow("ffmpeg can't be confined here: it ");
});

it("says at the start what jobs will find, and says if it is switched off", async () => {
	const warnings: string[] = [];
	const logger = {
		debug() {},
		info() {},
		warn: (_: object, message: string) => void warnings.push(message),
		error() {},
	};
	expect(await checkConfinement({ ...tools, confinement: "required" }, { logger })).toEqual([]);
	expect(warnings).toEqual([]);
	expect(await checkConfinement({ ...tools, confinement: "off" }, { logger })).toContain("network");
	expect(warnings).toEqual(["ffmpeg's confinement is switched off"]);
});

describe.each(ways)("$name a program", ({ options, missing }) => {
	it("has no rights, can gain none, and is nobody, but for what is missing", async () => {
		const found = await status(options);
		const lacks = (part: ConfinementPart) => missing.includes(part);
		expect(found.NoNewPrivs).toBe(lacks("privileges") ? "0" : "1");
		expect(found.Seccomp).toBe(lacks("system_calls") ? "0" : "2");
		// CAP_DAC_READ_SEARCH is left where it sees all files, and writes none.
		if (!lacks("privileges")) expect(Number.parseInt(found.CapEff as string, 16) & ~0b100).toBe(0);
		if (isRoot && !lacks("user")) expect(found.Uid).toBe("65534\t65534\t65534\t65534");
	});

	it("reaches no network, unless that part is missing", async () => {
		const { port } = server.address() as { port: number };
		const connect = `use Socket; if (socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, sockaddr_in(${port}, INADDR_LOOPBACK))) { print "reached" } else { print "refused" }`;
		expect(await run(connect, { options })).toBe(missing.includes("network") ? "reached" : "refused");
	});

	it("writes what it is given, and root removes that", async () => {
		const given = folder.path(`given-${missing.join("-")}`);
		await mkdir(given, { mode: 0o700 });
		await run(
			`mkdir "${given}/deep", 0700 or die $!; open(F, ">${given}/deep/file") or die $!; print F "made"; close F;`,
			{ options, writes: [given] },
		);
		expect(await readFile(`${given}/deep/file`, "utf8")).toBe("made");
		await rm(given, { recursive: true });
	});
});

describe.each(confined)("$name a program", ({ options, missing }) => {
	it.runIf(isRoot)("opens a device only if it is given it, and by the device's group", async () => {
		const device = folder.path(`device-${missing.join("-")}`);
		await promisify(execFile)("mknod", ["-m", "660", device, "c", "1", "5"]);
		await chown(device, 0, 44);
		const open = `print open(F, "+<${device}") ? "opened" : "refused", " ", $);`;
		const seen = { options, writes: [] };
		expect(await run(open, { ...seen, devices: [device] })).toMatch(/^opened /);
		if (missing.includes("user")) return;
		expect(await run(open, { ...seen, devices: [device] })).toMatch(/ 65534 44$/);
		expect(await run(open, seen)).toMatch(/^refused 65534( 65534)?$/);
	});
});

it.each(confined)("$name a program writes nowhere but where it may", async ({ options }) => {
	const outside = folder.path("outside");
	await mkdir(outside, { recursive: true });
	const tries = [`${outside}/file`, "/etc/reelmill-test", "/usr/reelmill-test", "/proc/sys/vm/swappiness"];
	const opened = await run(tries.map((path) => `open(F, ">>${path}") and print "${path} ";`).join("\n"), { options });
	// In bubblewrap /etc is its own, and empty.
	expect(
		opened
			.trim()
			.split(" ")
			.filter((path) => path !== "/etc/reelmill-test" && path !== ""),
	).toEqual([]);
	for (const path of tries.slice(0, 3)) await expect(stat(path)).rejects.toThrow("ENOENT");
});

it("in bubblewrap a program sees no files but those that it is given, and no processes but its own", async () => {
	await writeFile(folder.path("secret"), "secret");
	const look = `print -e "${folder.path("secret")}" ? "seen" : "unseen", -e "/etc/passwd" ? "seen" : "unseen"; print " ", scalar(grep(/^\\d+$/, map { s{.*/}{}r } glob("/proc/*")));`;
	const [files, processes] = (await run(look)).split(" ");
	expect(files).toBe("unseenunseen");
	expect(Number(processes)).toBeLessThan(4);
	expect(
		await run(`open(F, "${folder.path("secret")}") or die $!; print <F>`, { reads: [folder.path("secret")] }),
	).toBe("secret");
});

describe("in bubblewrap system calls", () => {
	it("that lead out of sandboxes are refused", async () => {
		for (const [calls, expected] of [
			[refused, 1],
			[unknown, 38],
		] as const) {
			const names = Object.keys(calls).filter((name) => number(calls, name) !== null);
			const found = await errorsOf(names.map((name) => `${number(calls, name)}, 0, 0, 0, 0, 0`));
			expect(Object.fromEntries(names.map((name, n) => [name, found[n]]))).toEqual(
				Object.fromEntries(names.map((name) => [name, expected])),
			);
		}
	});

	it("make no namespaces, by whatever name, but threads and processes", async () => {
		const [clone, ioctl] = process.arch === "arm64" ? [220, 29] : [56, 16];
		const newUser = 0x10000000;
		const newMounts = 0x20000;
		expect(
			await errorsOf([
				`${clone}, ${newUser} | 17, 0, 0, 0, 0`,
				`${clone}, ${newMounts} | 17, 0, 0, 0, 0`,
				`${ioctl}, 0, 0x5412, 0`,
			]),
		).toEqual([1, 1, 1]);
		expect(await run("my $child = fork; if ($child == 0) { exit 7 } waitpid($child, 0); print $? >> 8")).toBe("7");
	});
});

it("may read files of root's alone, among those that it is given, if that is needed", async () => {
	const [source, outputs] = [folder.path("private"), folder.path("private-outputs")];
	await writeFile(source, "private", { mode: 0o600 });
	await mkdir(outputs, { mode: 0o700 });
	const script = `use filetest "access"; -r "${source}" or die "no access"; open(F, "${source}") or die $!; print <F>; open(S, "/proc/self/status"); print grep { /^Uid|^CapEff|^NoNewPrivs|^Seccomp:/ } <S>; open(O, ">${outputs}/made") or die $!`;
	const saw = await run(script, { reads: [source], writes: [outputs] });
	expect(saw).toBe(
		`privateUid:\t${Array(4).fill(65_534).join("\t")}\nCapEff:\t000000000000000${isRoot ? 4 : 0}\nNoNewPrivs:\t1\nSeccomp:\t2\n`,
	);
	expect(await readdir(outputs)).toEqual(["made"]);
});

it("encodes with every encoder inside, and its outputs can be removed", async () => {
	const source = await folder.source("source.mp4", { size: "160x90", rate: "10", seconds: 1 });
	const directory = folder.outputs();
	const required: Tools = { ...tools, confinement: "required" };
	const { renditions } = await processVideo({
		source,
		directory,
		tools: required,
		job: job(["h264_720", "av1_720"], { dash: true }),
	});
	expect(renditions.map(({ codec }) => codec)).toEqual(["h264", "av1"]);
	if (isRoot) expect((await stat(`${directory}/og.jpg`)).uid).toBe(65_534);
	await rm(directory, { recursive: true });
});

it("another user than root is confined as well", async () => {
	// A copy that this user can reach, wherever the project and Node are.
	await chmod(folder.folder, 0o755);
	await promisify(execFile)("cp", [
		"-rL",
		new URL("../../src", import.meta.url).pathname,
		process.execPath,
		folder.folder,
	]);
	const script = `
		import { openPrograms } from "${folder.path("src/run/programs.ts")}";
		import { findProgram } from "${folder.path("src/run/find-program.ts")}";
		const found = [];
		for (const lacks of [[], ["bwrap"], ["bwrap", "unshare"], ["bwrap", "unshare", "setpriv"]]) {
			const find = (name) => (lacks.includes(name) ? Promise.resolve(null) : findProgram(name));
			const programs = await openPrograms({ ffmpeg: "/usr/bin/perl", ffprobe: "ffprobe" }, { find });
			const script = 'open(S, "/proc/self/status"); print grep { /^CapEff|^NoNewPrivs|^Seccomp:/ } <S>; open(N, "/proc/net/dev"); print scalar(grep { /:/ } <N>)';
			const { stdout } = await programs.run("ffmpeg", ["-e", script]);
			found.push({ missing: programs.missing, saw: String(stdout).match(/\\d+$/gm).map(Number) });
		}
		console.log(JSON.stringify(found));`;
	await writeFile(folder.path("as-another.mjs"), script);
	const node = folder.path(process.execPath.split("/").at(-1) as string);
	const as = isRoot ? ["--reuid=65533", "--regid=65533", "--clear-groups", "--inh-caps=-all"] : ["--no-new-privs"];
	const { stdout } = await promisify(execFile)("setpriv", [...as, "--", node, folder.path("as-another.mjs")]);
	const interfaces = expect.any(Number);
	expect(JSON.parse(stdout)).toEqual([
		{ missing: [], saw: [0, 1, 2, 1] },
		{ missing: ["files", "system_calls"], saw: [0, 1, 0, 1] },
		{ missing: ["files", "network", "system_calls"], saw: [0, 1, 0, interfaces] },
		{ missing: ["files", "network", "privileges", "system_calls"], saw: [0, isRoot ? 0 : 1, 0, interfaces] },
	]);
});
