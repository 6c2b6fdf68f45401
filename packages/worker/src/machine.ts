import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/**
 * Names the processors that this process may use: the same for all processes of one machine, in whatever container,
 * unless they are pinned to different processors. Where the system doesn't say, the host's name.
 */
export async function thisMachine(): Promise<string> {
	const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
	if (boot === null) return hostname();
	const status = await readFile("/proc/self/status", "utf8").catch(() => "");
	return `${boot.trim()} ${/^Cpus_allowed_list:[ \t]*(\S*)/m.exec(status)?.[1] ?? ""}`.slice(0, 255);
}
