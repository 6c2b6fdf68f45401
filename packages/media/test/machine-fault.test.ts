import { type WorkerFault, workerFaults } from "@reelmill/contracts";
import { expect, it } from "vitest";
import { MachineError, MediaError, machineFaultOf, ProgramError } from "../src/index.ts";

const ended = (end: { code?: number; killedBy?: string; stderr?: string }) =>
	new ProgramError("ffmpeg", { code: null, killedBy: null, stderr: "", ...end });
const system = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

const ofMachine: [string, unknown, WorkerFault][] = [
	["a missing program", new MachineError("program_unusable", "gone"), "program_unusable"],
	["a shell that finds none", ended({ code: 127, stderr: "sh: 1: exec: ffmpeg: not found" }), "program_unusable"],
	["one that may not be run", ended({ code: 126, stderr: "Permission denied" }), "program_unusable"],
	["a missing library", ended({ code: 1, stderr: "error while loading shared libraries: x" }), "program_unusable"],
	["another build", ended({ code: 1, stderr: "Unknown encoder 'libsvtav1'" }), "program_unusable"],
	["bubblewrap that fails", ended({ code: 1, stderr: "bwrap: Can't find source path" }), "program_unusable"],
	[
		"bubblewrap without room",
		ended({ code: 1, stderr: "bwrap: Can't fork: Resource temporarily unavailable" }),
		"no_resources",
	],
	["a program that can't be spawned", system("ENOENT", "spawn /bin/sh"), "program_unusable"],
	["too many processes", system("EAGAIN", "spawn /bin/sh"), "no_resources"],
	["too many files", system("EMFILE", "open"), "no_resources"],
	["no memory", system("ENOMEM", "read"), "no_resources"],
	["the memory killer", ended({ killedBy: "SIGKILL" }), "program_killed"],
	["a crash", ended({ killedBy: "SIGSEGV" }), "program_killed"],
	["an end from outside", ended({ code: 255, stderr: "Exiting normally, received signal 15." }), "program_killed"],
	["a full disk", ended({ code: 1, stderr: "x: No space left on device" }), "disk_full"],
	["a full disk of this process", system("ENOSPC", "write"), "disk_full"],
	["a quota", system("EDQUOT", "write"), "disk_full"],
	["a broken disk", system("EIO", "read"), "disk_failed"],
	["a disk that takes nothing", system("EROFS", "open"), "disk_failed"],
	["one that takes nothing of ffmpeg", ended({ code: 1, stderr: "x: Read-only file system" }), "disk_failed"],
	["a folder of another user, to ffmpeg", ended({ code: 1, stderr: "x.mp4: Permission denied" }), "disk_failed"],
	["a folder of another user", system("EACCES", "open"), "disk_failed"],
	["a work directory that is gone", system("ENOENT", "mkdtemp"), "disk_failed"],
	["an error with such a cause", new Error("outputs", { cause: system("ENOSPC", "write") }), "disk_full"],
];
const ofSource: [string, unknown][] = [
	[
		"a source at fault, whatever the program said",
		new MediaError("invalid_media", "no", { cause: ended({ code: 1 }) }),
	],
	["a program that refuses it", ended({ code: 1, stderr: "Invalid data found when processing input" })],
	// The limit of memory is the worker's own; demuxers say so of what they can't read.
	["one that wants too much memory", ended({ code: 1, stderr: "Cannot allocate memory" })],
	["one that can't be read", ended({ code: 1, stderr: "source: Input/output error" })],
	...["SIGXCPU", "SIGXFSZ", "SIGSYS", "SIGABRT", "SIGFPE"].map((killedBy): [string, unknown] => [
		killedBy,
		ended({ killedBy }),
	]),
	["a file that a program didn't make", system("ENOENT", "open")],
	["a refused connection", new Error("fetch failed", { cause: system("EACCES", "connect") })],
	["another error", new Error("The source broke off.")],
	["no error", "no"],
];

it.each(ofMachine)("tells %s as the machine's fault", (_, error, fault) => {
	expect(machineFaultOf(error)).toBe(fault);
	expect(Object.keys(workerFaults)).toContain(fault);
});

it.each(ofSource)("takes %s for the source's", (_, error) => {
	expect(machineFaultOf(error)).toBeNull();
});
