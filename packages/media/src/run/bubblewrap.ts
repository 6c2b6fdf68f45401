import { dirname } from "node:path";

const systemFolders = ["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/etc/alternatives", "/etc/ld.so.cache"];

/** The number of the user and group nobody. */
export const nobody = 65_534;

/** setpriv's name of the right to read every file. */
export const readingAll = "dac_read_search";

/** The descriptor from which bubblewrap reads the filter of system calls. */
const filterDescriptor = 3;

export type Bubblewrap = {
	readonly bubblewrap: string;
	/**
	 * The user that the program runs as. `mapped`: nobody inside a user namespace, and the starting user outside of it.
	 * `alone`: the same, and the program can't make a user namespace itself; this needs bubblewrap 0.8. Root instead
	 * gives setpriv, which makes the program really nobody; with `readsAll` the program may read files of root's alone,
	 * among those that it sees.
	 */
	readonly identity: "mapped" | "alone" | { readonly setpriv: string; readonly readsAll: boolean };
	/** Whether there is a filter at the descriptor. */
	readonly isFiltered: boolean;
};

/** The only files, folders and devices that a program may use (default: none). */
export type Files = {
	readonly reads?: readonly string[] | undefined;
	readonly writes?: readonly string[] | undefined;
	readonly devices?: readonly string[] | undefined;
};

/** What drivers read to find out about a device. */
const deviceFacts = ["/sys/dev/char", "/sys/devices"];

/**
 * Returns the command in bubblewrap. The program has no network, sees only its own processes, has no rights and can
 * gain none. Its file system has only the system's programs and the given files. It ends with bubblewrap, and
 * bubblewrap ends with this process.
 * @param groups the only groups that a program of root's has, which open the devices
 */
export function inBubblewrap(
	{ bubblewrap, identity, isFiltered }: Bubblewrap,
	command: readonly string[],
	{ reads = [], writes = [], devices = [] }: Files,
	groups: readonly number[] = [],
): string[] {
	const facts = devices.length > 0 ? deviceFacts : [];
	const programs = [...systemFolders, dirname(command[0] as string)];
	const isAnother = typeof identity !== "string";
	const kept = isAnother && identity.readsAll ? [readingAll] : [];
	return [
		...[bubblewrap, "--die-with-parent", "--hostname", "sandbox", "--cap-drop", "ALL"],
		...(isAnother
			? ["ipc", "pid", "net", "uts", "cgroup-try"].map((one) => `--unshare-${one}`)
			: ["--unshare-all", "--uid", String(nobody), "--gid", String(nobody)]),
		...(identity === "alone" ? ["--unshare-user", "--disable-userns"] : []),
		...(isAnother
			? ["setuid", "setgid", "setpcap", ...kept].flatMap((right) => ["--cap-add", `CAP_${right.toUpperCase()}`])
			: []),
		...(isFiltered ? ["--seccomp", String(filterDescriptor)] : []),
		// Read-only: a user that is root to the kernel could otherwise write its settings.
		...[
			"--proc",
			"/proc",
			"--remount-ro",
			"/proc",
			"--dev",
			"/dev",
			...(isAnother ? ["--perms", "1777"] : []),
			"--tmpfs",
			"/tmp",
			"--chdir",
			"/",
		],
		// bubblewrap makes the folders above the given files. Another user must be able to pass through them.
		...(isAnother
			? above([...programs, ...reads, ...writes, ...devices, ...facts]).flatMap((path) => [
					"--perms",
					"0755",
					"--dir",
					path,
				])
			: []),
		...programs.flatMap((path) => ["--ro-bind-try", path, path]),
		...reads.flatMap((path) => ["--ro-bind", path, path]),
		...writes.flatMap((path) => ["--bind", path, path]),
		...devices.flatMap((path) => ["--dev-bind", path, path]),
		...facts.flatMap((path) => ["--ro-bind-try", path, path]),
		"--",
		...(isAnother ? asNobody(identity.setpriv, command, { kept, groups }) : command),
	];
}

/** Lists all folders above these paths except the root, the highest ones first. */
function above(paths: readonly string[]): string[] {
	const found = new Set<string>();
	for (const path of paths)
		for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) found.add(folder);
	return [...found].sort();
}

/**
 * Returns root's command that runs a program as nobody, with only these rights and groups and without a way to gain
 * others.
 */
export function asNobody(
	setpriv: string,
	command: readonly string[],
	{ kept = [], groups = [] }: { readonly kept?: readonly string[]; readonly groups?: readonly number[] } = {},
): string[] {
	const rights = ["-all", ...kept.map((right) => `+${right}`)].join(",");
	// The securebit makes access(2) count the kept right. ffmpeg looks for numbered pictures with access(2).
	const ambient = kept.length > 0 ? [`--ambient-caps=${rights}`, "--securebits=+no_setuid_fixup"] : [];
	return [
		...[
			setpriv,
			`--reuid=${nobody}`,
			`--regid=${nobody}`,
			groups.length > 0 ? `--groups=${groups.join(",")}` : "--clear-groups",
			"--no-new-privs",
			`--bounding-set=${rights}`,
			`--inh-caps=${rights}`,
			...ambient,
		],
		...["--", ...command],
	];
}
