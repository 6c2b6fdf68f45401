import { dirname } from "node:path";

const systemFolders = ["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/etc/alternatives", "/etc/ld.so.cache"];

/** Nobody's number, for user and group. */
export const nobody = 65_534;

/** The right to read every file, in the words of setpriv. */
export const readingAll = "dac_read_search";

/** The descriptor that bubblewrap reads the filter of system calls from. */
const filterDescriptor = 3;

export type Bubblewrap = {
	readonly bubblewrap: string;
	/**
	 * Who the program is. `mapped`: nobody in a user namespace, and outside of it who started it; `alone`: so, and it
	 * can't make a user namespace itself, which takes bubblewrap 0.8. Or, for root, really nobody, whom setpriv makes it
	 * inside; with `readsAll` it may read what only root may, of the files that it sees.
	 */
	readonly identity: "mapped" | "alone" | { readonly setpriv: string; readonly readsAll: boolean };
	/** Whether a filter is given at the descriptor. */
	readonly isFiltered: boolean;
};

/** The only files and folders that a program may read, and write. */
export type Files = { readonly reads?: readonly string[] | undefined; readonly writes?: readonly string[] | undefined };

/**
 * The command in bubblewrap: no network, no processes but its own, no rights and none to be had, an empty file system
 * but for the system's programs, what it may read, and what it may write. All of it ends with bubblewrap, and
 * bubblewrap with this process.
 */
export function inBubblewrap(
	{ bubblewrap, identity, isFiltered }: Bubblewrap,
	command: readonly string[],
	{ reads = [], writes = [] }: Files,
): string[] {
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
		// Read-only, since whoever is root to the kernel would write its settings.
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
		// Folders above what is given are bubblewrap's own: another user must get through.
		...(isAnother
			? above([...programs, ...reads, ...writes]).flatMap((path) => ["--perms", "0755", "--dir", path])
			: []),
		...programs.flatMap((path) => ["--ro-bind-try", path, path]),
		...reads.flatMap((path) => ["--ro-bind", path, path]),
		...writes.flatMap((path) => ["--bind", path, path]),
		"--",
		...(isAnother ? asNobody(identity.setpriv, command, kept) : command),
	];
}

/** All folders above these paths, those at the top first, without the root. */
function above(paths: readonly string[]): string[] {
	const found = new Set<string>();
	for (const path of paths)
		for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) found.add(folder);
	return [...found].sort();
}

/** The command as nobody, for root: without rights but these, and without a way to gain any. */
export function asNobody(setpriv: string, command: readonly string[], kept: readonly string[] = []): string[] {
	const rights = ["-all", ...kept.map((right) => `+${right}`)].join(",");
	// Without the securebit access(2), by which ffmpeg looks for numbered pictures, would answer as if there were no
	// right.
	const ambient = kept.length > 0 ? [`--ambient-caps=${rights}`, "--securebits=+no_setuid_fixup"] : [];
	return [
		...[
			setpriv,
			`--reuid=${nobody}`,
			`--regid=${nobody}`,
			"--clear-groups",
			"--no-new-privs",
			`--bounding-set=${rights}`,
			`--inh-caps=${rights}`,
			...ambient,
		],
		...["--", ...command],
	];
}
