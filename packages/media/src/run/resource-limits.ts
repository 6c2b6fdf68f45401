import { availableParallelism } from "node:os";

/** How much one program may use, whatever its source is. */
export type Limits = {
	/** Processor time (default: no limit; the wall clock is then the limit). */
	readonly cpuSeconds?: number;
	/** Address space (default: no limit). A program needs more of it than it ever touches. */
	readonly memoryBytes?: number;
	/** The size of each file that the program writes. */
	readonly fileBytes: number;
};

const gibibyte = 1024 ** 3;

/**
 * Returns the limits for reading headers and packets. It writes nothing and is quick: a file that takes longer was made
 * to. A source of more than 256 MiB gets more time, since it may have many packets.
 */
export const probeLimits = (sourceBytes: number): Limits => ({
	cpuSeconds: 5 + Math.floor(sourceBytes / (gibibyte / 4)),
	memoryBytes: 4 * gibibyte,
	fileBytes: 0,
});

/** Returns the limits of an encode. Encoders use more memory the more threads they start. */
export const encodeLimits = (): Required<Omit<Limits, "cpuSeconds">> => ({
	memoryBytes: (8 + availableParallelism()) * gibibyte,
	fileBytes: 4 * gibibyte,
});

/**
 * Returns the command with limits and a niceness. A shell sets the limits, since every system has one. A limit that the
 * system doesn't know, such as memory on macOS, is left out.
 */
export function limited(
	command: readonly string[],
	{ cpuSeconds, memoryBytes, fileBytes }: Limits,
	niceness = 0,
): string[] {
	const settings = [
		"-c 0",
		"-n 256",
		`-f ${Math.floor(fileBytes / 512)}`,
		...(memoryBytes === undefined ? [] : [`-v ${Math.floor(memoryBytes / 1024)}`]),
		// SIGXCPU tells a program that its time is used up. If both limits were the same, Linux would kill it without.
		...(cpuSeconds === undefined ? [] : [`-S -t ${cpuSeconds}`, `-H -t ${cpuSeconds + 1}`]),
	];
	const first = settings.map((setting) => `ulimit ${setting} 2>/dev/null`);
	// If Linux gives each session a share of the processors, only the niceness of the session counts beside others.
	if (niceness > 0) first.push(`{ echo ${niceness} > /proc/self/autogroup; } 2>/dev/null`);
	const nice = niceness > 0 ? ["nice", "-n", String(niceness)] : [];
	return ["/bin/sh", "-c", `${first.join("; ")}; exec "$@"`, "sh", ...nice, ...command];
}
