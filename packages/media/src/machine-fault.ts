import type { WorkerFault } from "@reelmill/contracts/worker-faults";
import { MachineError, MediaError, ProgramError } from "./errors.ts";

/** What system calls on files, and starts of programs, say of the machine. */
const bySystemCode: Readonly<Record<string, WorkerFault>> = {
	ENOSPC: "disk_full",
	EDQUOT: "disk_full",
	EIO: "disk_failed",
	EROFS: "disk_failed",
	ESTALE: "disk_failed",
	ENODEV: "disk_failed",
	ENOTCONN: "disk_failed",
	EACCES: "disk_failed",
	EPERM: "disk_failed",
	ENOMEM: "no_resources",
	EAGAIN: "no_resources",
	EMFILE: "no_resources",
	ENFILE: "no_resources",
};

/** Programs end by these over what a source is: it takes them too far, or into a state that they refuse. */
const signalsOfSources = ["SIGXCPU", "SIGXFSZ", "SIGSYS", "SIGABRT", "SIGFPE"];

/** What programs say of the machine. The first that is found counts. */
const said: readonly (readonly [RegExp, WorkerFault])[] = [
	[/No space left on device|Disk quota exceeded/, "disk_full"],
	[/Read-only file system|Permission denied/, "disk_failed"],
	[/^(?:bwrap|setpriv|unshare|\S*sh): .*(?:Resource temporarily unavailable|Cannot allocate memory)/m, "no_resources"],
	[/^(?:bwrap|setpriv|unshare): /m, "program_unusable"],
	[/error while loading shared libraries|symbol lookup error|Unknown encoder|No such filter/, "program_unusable"],
	[/^Exiting normally, received signal/m, "program_killed"],
];

/** The codes by which a shell says that it can't run a program. */
const notRun = [126, 127];

function ofProgram({ code, killedBy, stderr }: ProgramError): WorkerFault | null {
	if (killedBy !== null) return signalsOfSources.includes(killedBy) ? null : "program_killed";
	if (code !== null && notRun.includes(code)) return "program_unusable";
	return said.find(([words]) => words.test(stderr))?.[1] ?? null;
}

function ofSystem({ code, syscall }: NodeJS.ErrnoException): WorkerFault | null {
	// A connection's troubles are not those of a file.
	if (code === undefined || syscall === undefined || syscall === "connect") return null;
	const isStart = syscall.startsWith("spawn") && (code === "ENOENT" || code === "EACCES");
	const isGone = code === "ENOENT" && syscall === "mkdtemp";
	return isStart ? "program_unusable" : isGone ? "disk_failed" : (bySystemCode[code] ?? null);
}

/**
 * Returns what is wrong with the machine if an error of this package, or of Node's files and programs, is its fault;
 * `null` if it may be the source's. A program that a signal ended counts as killed, although a source can crash it: so
 * whoever gives a job to another machine instead must count how often.
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { machineFaultOf, probe } from "@reelmill/media";
 *
 * await writeFile("notes.mp4", "This is no video.");
 * const fails = (ffprobe: string) => probe("notes.mp4", { ffmpeg: "ffmpeg", ffprobe }).catch((error: unknown) => error);
 * console.log(machineFaultOf(await fails("ffprobe"))); // => null
 * console.log(machineFaultOf(await fails("/nowhere/ffprobe"))); // => program_unusable
 * ```
 */
export function machineFaultOf(error: unknown): WorkerFault | null {
	if (error instanceof MachineError) return error.fault;
	if (error instanceof ProgramError) return ofProgram(error);
	if (!(error instanceof Error) || error instanceof MediaError) return null;
	return ofSystem(error) ?? machineFaultOf(error.cause);
}
