import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

/**
 * Returns a name for the processors that this process may use. All processes of one machine get the same name, in any
 * container, unless they are pinned to different processors. The name is the host's name if the system has no
 * `/proc`.
 */
export async function thisMachine(): Promise<string> {
	const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
	if (boot === null) return hostname();
	const status = await readFile("/proc/self/status", "utf8").catch(() => "");
	return `${boot.trim()} ${/^Cpus_allowed_list:[ \t]*(\S*)/m.exec(status)?.[1] ?? ""}`.slice(0, 255);
}
