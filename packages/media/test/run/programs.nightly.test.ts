import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findProgram } from "../../src/run/find-program.ts";
import { behindOthers, openPrograms, type Programs, pasteable } from "../../src/run/programs.ts";
import { clip, lavfi, tools } from "../support/sources.ts";

const run = promisify(execFile);
const look = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", clip];

it("lets a program see only the files it was given", async () => {
	expect(
		await findProgram("bwrap"),
		"bubblewrap is missing; on Debian or Ubuntu: apt-get install bubblewrap",
	).not.toBeNull();
	const programs = await openPrograms(tools);
	expect(String((await programs.run("ffprobe", look, { reads: [clip] })).stdout)).toBe("7.600000\n");
	await expect(programs.run("ffprobe", look)).rejects.toThrow("No such file or directory");
});

it("lets it see more if the confinement is off", async () => {
	const programs = await openPrograms({ ...tools, confinement: "off" });
	expect(String((await programs.run("ffprobe", look)).stdout)).toBe("7.600000\n");
});

it("tells the code and the last words of a program that failed", async () => {
	const programs = await openPrograms(tools);
	const failed = programs.run("ffmpeg", ["-v", "error", "-f", "nonsense"]);
	await expect(failed).rejects.toMatchObject({
		name: "ProgramError",
		code: 1,
		killedBy: null,
		message: expect.stringContaining("ffmpeg ended with code 1"),
	});
});

/** The arguments by which ffmpeg copies what the kernel says of it. */
const copying = (file: string, target: string) =>
	`-v error -y -f data -i /proc/self/${file} -map 0 -c copy -f data ${target}`.split(" ");
/** What the kernel says of ffmpeg while it reads this itself. */
const seenFrom = async (
	confinement: "preferred" | "off",
	file: string,
	as = (programs: Programs) => programs,
): Promise<string> => {
	const programs = as(await openPrograms({ ...tools, confinement }));
	const limits = { cpuSeconds: 7, memoryBytes: 3 * 1024 ** 3, fileBytes: 1024 ** 2 };
	return String((await programs.run("ffmpeg", copying(file, "pipe:1"), { limits })).stdout);
};

it.each(["preferred", "off"] as const)("limits what a program may use: confinement %s", async (confinement) => {
	const limits = await seenFrom(confinement, "limits");
	const of = (name: string) => new RegExp(`^${name}\\s+(\\d+)\\s+(\\d+)`, "m").exec(limits)?.slice(1).map(Number);
	expect(of("Max cpu time")).toEqual([7, 8]);
	expect(of("Max address space")).toEqual([3 * 1024 ** 3, 3 * 1024 ** 3]);
	expect(of("Max file size")).toEqual([1024 ** 2, 1024 ** 2]);
	expect(of("Max core file size")).toEqual([0, 0]);
	expect(of("Max open files")).toEqual([256, 256]);
});

it("runs it as nobody, without rights, without network, without environment", async () => {
	const status = await seenFrom("preferred", "status");
	expect(status).toMatch(/^Uid:\s+65534\s+65534/m);
	expect(status).toMatch(/^CapEff:\s+0+$/m);
	expect((await seenFrom("preferred", "net/dev")).match(/^\s*\w+:/gm)).toEqual([expect.stringContaining("lo:")]);
	const names = (await seenFrom("preferred", "environ")).split("\0").map((entry) => entry.split("=")[0]);
	expect(names.filter((name) => !["LANG", "SVT_LOG", "PWD", ""].includes(name as string))).toEqual([]);
});

it("leaves it only root's rights to files if the confinement is off: SVT-AV1 would go ahead of all else", async () => {
	const [, effective = ""] = /^CapEff:\s+(\w+)$/m.exec(await seenFrom("off", "status")) ?? [];
	// CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
	expect(Number.parseInt(effective, 16) & ~0b110).toBe(0);

	const programs = await openPrograms({ ...tools, confinement: "off" });
	const inputs = ["-v", "error", "-progress", "pipe:1", ...lavfi("testsrc2=size=320x180:duration=20")];
	const encode = [...inputs, "-c:v", "libsvtav1", "-preset", "12", "-f", "null", "-"];
	const classes = new Set<string>();
	let looking = Promise.resolve();
	const look = async () => {
		const { stdout } = await run("ps", ["-eLo", "ppid,cls,args"]);
		for (const line of stdout.split("\n")) {
			const [parent, scheduling, ...args] = line.trim().split(/\s+/);
			if (Number(parent) === process.pid && args.includes("libsvtav1")) classes.add(scheduling as string);
		}
	};
	await programs.run("ffmpeg", encode, { onOutput: () => (looking = looking.then(look)) });
	await looking;
	expect([...classes]).toEqual(["TS"]);
});

it("lets it write nothing below /proc: as root's child it could change the machine's settings", async () => {
	const programs = await openPrograms(tools);
	const write = (target: string) => programs.run("ffmpeg", copying("stat", target));
	await expect(write("/proc/self/comm")).rejects.toThrow("Read-only file system");
	await write("/tmp/comm");
});

it.each(["preferred", "off"] as const)(
	"lets others go first if that is asked for, those in other sessions too: confinement %s",
	async (confinement) => {
		const niceness = async (as?: typeof behindOthers) =>
			Number((await seenFrom(confinement, "stat", as)).replace(/^.*\) /s, "").split(" ")[16]);
		const own = getPriority();
		expect([await niceness(), await niceness(behindOthers)]).toEqual([own, Math.min(own + 10, 19)]);
		// Each program has a session of its own; Linux may compare sessions and not programs.
		if (await readFile("/proc/self/autogroup").catch(() => null))
			expect(await seenFrom(confinement, "autogroup", behindOthers)).toMatch(/ nice 10\n$/);
	},
);

it.each(["preferred", "off"] as const)(
	"says that a program ran out of its processor time: confinement %s",
	async (confinement) => {
		const programs = await openPrograms({ ...tools, confinement });
		const endless = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080", "-show_entries", "frame=pts"];
		const running = programs.run("ffprobe", endless, {
			limits: { cpuSeconds: 1, memoryBytes: 8 * 1024 ** 3, fileBytes: 0 },
		});
		await expect(running).rejects.toMatchObject({ name: "ProgramError", code: null, killedBy: "SIGXCPU" });
	},
);

it("ends by the signal if ffprobe hangs, and does not run unconfined then", async () => {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-hanging-"));
	const [ffprobe, started] = [join(folder, "ffprobe"), join(folder, "started")];
	await run("mkfifo", [started]);
	await writeFile(ffprobe, `#!/bin/sh\necho now > ${started}\nsleep 86395\n`);
	await chmod(ffprobe, 0o755);
	const stop = new AbortController();
	const warnings: string[] = [];
	const logger = {
		debug() {},
		info() {},
		warn: (_: object, message: string) => void warnings.push(message),
		error() {},
	};
	const opening = openPrograms({ ...tools, ffprobe }, { logger, signal: stop.signal });
	await readFile(started);
	stop.abort(new Error("The job was cancelled."));
	await expect(opening).rejects.toThrow("The job was cancelled.");
	expect(warnings).toEqual([]);
	await rm(folder, { recursive: true });
});

it("lets a program write nothing but what it was given", async () => {
	const programs = await openPrograms(tools);
	const folder = await mkdtemp(join(tmpdir(), "reelmill-written-"));
	const made = ["-v", "error", ...lavfi("color=red"), "-frames:v", "1", "-f", "image2", "-update", "1"];
	const picture = (name: string) => [...made, join(folder, name)];
	await expect(programs.run("ffmpeg", picture("refused.jpg"))).rejects.toThrow("ffmpeg ended with code");
	await expect(programs.run("ffmpeg", picture("read-only.jpg"), { reads: [folder] })).rejects.toThrow(
		"ffmpeg ended with code",
	);
	await programs.run("ffmpeg", picture("written.jpg"), { writes: [folder] });
	expect(await readdir(folder)).toEqual(["written.jpg"]);
	await rm(folder, { recursive: true });
});

it.each([
	["a link", "ln -s /etc/passwd deep/link"],
	["a link to a folder", "ln -s /etc hls"],
	["a pipe", "mkfifo deep/pipe"],
])("refuses what a program left where it is %s: it would lead out of the sandbox", async (_, leave) => {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-taken-over-"));
	const [ffmpeg, outputs] = [join(folder, "ffmpeg"), join(folder, "outputs")];
	await mkdir(outputs);
	// Whoever runs it must get there.
	await chmod(folder, 0o755);
	await writeFile(
		ffmpeg,
		`#!/bin/sh\n[ "$1" = -version ] && exit\ncd ${outputs} && mkdir deep && touch deep/file && ${leave}\n`,
	);
	await chmod(ffmpeg, 0o755);
	const programs = await openPrograms({ ...tools, ffmpeg });
	await expect(programs.run("ffmpeg", [], { writes: [outputs] })).rejects.toThrow("neither a file nor a folder");
	expect(await readdir(join(outputs, "deep"))).toContain("file");
	await rm(folder, { recursive: true });
});

it("writes a command so that it can be pasted", () => {
	expect(pasteable(["ffmpeg", "-i", "it's here.mp4", "-vf", "scale=2:2,null"])).toBe(
		`ffmpeg -i 'it'\\''s here.mp4' -vf scale=2:2,null`,
	);
});
