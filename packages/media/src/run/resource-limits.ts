import { availableParallelism } from "node:os";

/** What one program may use, whatever its source makes of it. */
export type Limits = {
	/** Of one core; none unless told, where the wall clock is the limit. */
	readonly cpuSeconds?: number;
	/** Address space, which is more than it ever touches. */
	readonly memoryBytes: number;
	/** Of each file that it writes. */
	readonly fileBytes: number;
};

const gibibyte = 1024 ** 3;

/**
 * Reading headers and packets writes nothing and is soon done: a file that takes longer was made to. Together the two
 * runs of a probe stay under ten seconds; a source of more than 256 MiB may hold so many packets that they take longer.
 */
export const probeLimits = (sourceBytes: number): Limits => ({
	cpuSeconds: 5 + Math.floor(sourceBytes / (gibibyte / 4)),
	memoryBytes: 4 * gibibyte,
	fileBytes: 0,
});

/** Encoders take more memory the more threads they start. */
export const encodeLimits = (): Limits => ({
	memoryBytes: (8 + availableParallelism()) * gibibyte,
	fileBytes: 4 * gibibyte,
});

/**
 * The command with rlimits in front, and so far behind other processes (nice(1)). The shell sets them, since every
 * system has one; a limit that a system doesn't know (macOS: memory) is left out.
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
		`-v ${Math.floor(memoryBytes / 1024)}`,
		// One that has used up its time is told so by SIGXCPU; where both limits are the same, Linux kills it without a
		// word.
		...(cpuSeconds === undefined ? [] : [`-S -t ${cpuSeconds}`, `-H -t ${cpuSeconds + 1}`]),
	];
	const first = settings.map((setting) => `ulimit ${setting} 2>/dev/null`);
	// Where Linux gives each session its share of the processors, only the session's own niceness counts beside others.
	if (niceness > 0) first.push(`{ echo ${niceness} > /proc/self/autogroup; } 2>/dev/null`);
	const nice = niceness > 0 ? ["nice", "-n", String(niceness)] : [];
	return ["/bin/sh", "-c", `${first.join("; ")}; exec "$@"`, "sh", ...nice, ...command];
}
