import { chown, stat } from "node:fs/promises";
import { MachineError, ProgramError } from "../errors.ts";
import type { ConfinementChoice, Logger } from "../types.ts";
import { asNobody, type Bubblewrap, type Files, inBubblewrap, nobody, readingAll } from "./bubblewrap.ts";
import { type Execution, execute } from "./execute.ts";
import { findProgram } from "./find-program.ts";
import { systemCallFilter } from "./system-call-filter.ts";

/** The parts of a whole confinement. Each text says what a program can do if the part is missing. */
export const confinementParts = {
	files: "it sees more files than its own",
	network: "it reaches the network",
	privileges: "it can gain rights",
	system_calls: "its system calls are not filtered",
	user: "it has the rights of root to files",
} as const;
/** One part of ffmpeg's confinement. */
export type ConfinementPart = keyof typeof confinementParts;

/** A way to run commands. */
export type Confinement = {
	/** The parts that are missing on this machine. */
	readonly missing: readonly ConfinementPart[];
	/** Returns what to execute instead of a command. If it runs as another user, `writes` are given to that user. */
	confine(command: readonly string[], files: Files): Promise<Execution>;
};

type Find = (name: string) => Promise<string | null>;

export type ConfinementOptions = {
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Finds bwrap, unshare and setpriv (default: in the system's usual folders). */
	readonly find?: Find | undefined;
};

/** One way to confine commands, with the parts that it lacks. */
type Way = {
	readonly missing: readonly ConfinementPart[];
	readonly wrap: (command: readonly string[], files: Files, groups?: readonly number[]) => string[];
	/** For a way that runs as nobody: the wrap for files that only root can read. */
	readonly readingAll?: Way["wrap"];
	readonly filter: Buffer | null;
};

/**
 * The ways that confine whole and have worked in this process, by what was found and tried. Two programs are started
 * less for each job. A way that lacks a part is tried anew each time: the machine may have been mended.
 */
const proven = new Map<string, Way>();

/** How many seconds a trial may take. It does next to nothing, but the machine may be busy. */
const trialSeconds = 60;

const isOfRoot = (): boolean => process.getuid?.() === 0;

const findWrappers = (find: Find) => Promise.all(["bwrap", "unshare", "setpriv"].map((name) => find(name)));

/** Lists the ways from the one that confines most to the one that confines least. The last always works. */
async function listWays(find: Find): Promise<Way[]> {
	const isRoot = isOfRoot();
	const [bubblewrap, unshare, setpriv] = await findWrappers(find);
	const filter = systemCallFilter(process.arch);
	const unfiltered: readonly ConfinementPart[] = filter === null ? ["system_calls"] : [];
	const ways: Way[] = [];
	if (bubblewrap) {
		const by =
			(identity: Bubblewrap["identity"]): Way["wrap"] =>
			(command, files, groups) =>
				inBubblewrap({ bubblewrap, identity, isFiltered: filter !== null }, command, files, groups);
		if (isRoot) {
			if (setpriv)
				ways.push({
					missing: unfiltered,
					wrap: by({ setpriv, readsAll: false }),
					readingAll: by({ setpriv, readsAll: true }),
					filter,
				});
			ways.push({ missing: [...unfiltered, "user"], wrap: by("mapped"), filter });
		} else
			ways.push(
				{ missing: unfiltered, wrap: by("alone"), filter },
				{ missing: unfiltered, wrap: by("mapped"), filter },
			);
	}
	if (setpriv) {
		// Without a file system of its own the program may have to pass through folders of root's. So nobody may read all
		// files here, and writes only what is given to it.
		const drop: Way["wrap"] = (command, _, groups = []) =>
			isRoot
				? asNobody(setpriv, command, { kept: [readingAll], groups })
				: [setpriv, "--no-new-privs", "--", ...command];
		const namespaces = isRoot ? ["--net", "--ipc"] : ["--user", "--map-current-user", "--net", "--ipc"];
		const drops = (missing: readonly ConfinementPart[], wrap: Way["wrap"]): Way => ({
			missing,
			wrap,
			...(isRoot && { readingAll: wrap }),
			filter: null,
		});
		if (unshare)
			ways.push(
				drops(["files", "system_calls"], (command, files, groups) => [
					unshare,
					...namespaces,
					"--",
					...drop(command, files, groups),
				]),
			);
		ways.push(drops(["files", "network", "system_calls"], drop));
	}
	return [...ways, await leastWay(find)];
}

/**
 * Returns the way that always works. It only takes root's rights away, except those to files. With the right to set
 * priorities, SVT-AV1 would make all its threads real-time ones: heartbeats, servers and databases would stand still
 * while it encodes.
 */
async function leastWay(find: Find): Promise<Way> {
	const isRoot = isOfRoot();
	const setpriv = isRoot ? await find("setpriv") : null;
	const rights = ["--bounding-set=-all,+dac_override,+dac_read_search", "--inh-caps=-all"];
	return {
		missing: ["files", "network", "privileges", "system_calls", ...(isRoot ? (["user"] as const) : [])],
		wrap: (command) => (setpriv === null ? [...command] : [setpriv, ...rights, "--", ...command]),
		filter: null,
	};
}

/** Returns the groups that may use these devices, except those that everybody may use. Nobody needs them. */
async function groupsOf(devices: readonly string[] = []): Promise<number[]> {
	const found = await Promise.all(devices.map((path) => stat(path)));
	return [...new Set(found.filter(({ mode }) => (mode & 0o006) !== 0o006).map(({ gid }) => gid))];
}

/** Gives the folders in `writes` to nobody. Returns whether everybody can read what is in `reads`. */
async function handOver({ reads = [], writes = [] }: Files): Promise<boolean> {
	for (const folder of writes) await chown(folder, nobody, nobody);
	const found = await Promise.all(reads.map((path) => stat(path)));
	return found.every((one) => (one.mode & (one.isDirectory() ? 0o005 : 0o004)) === (one.isDirectory() ? 0o005 : 0o004));
}

/**
 * Finds the best way to confine commands on this machine, and logs what is missing. Each way is tried with the commands
 * in `trials`, which do nothing; a whole confinement that has worked in this process is not tried again.
 * @throws {MachineError} when all parts are required and one is missing, or when a trial could not tell whether a way works
 */
export async function openConfinement(
	choice: ConfinementChoice,
	trials: readonly (readonly string[])[],
	options: ConfinementOptions,
): Promise<Confinement> {
	const { logger, signal, find = findProgram } = options;
	const failures: string[] = [];
	const works = async ({ wrap, filter }: Way): Promise<boolean> => {
		for (const trial of trials) {
			const command = wrap(trial, {});
			try {
				await execute(trial[0] as string, { command, filter }, { signal, maxSeconds: trialSeconds });
			} catch (error) {
				if (!(error instanceof ProgramError)) throw error;
				failures.push(`${command[0]}: ${error.message}`);
				return false;
			}
		}
		return true;
	};
	const choose = async (): Promise<Way> => {
		const found = JSON.stringify([await findWrappers(find), trials]);
		const before = proven.get(found);
		if (before !== undefined) return before;
		for (const way of await listWays(find)) {
			if (!(await works(way))) continue;
			if (way.missing.length === 0) proven.set(found, way);
			return way;
		}
		return leastWay(find);
	};
	const { missing, wrap, readingAll: wrapReading, filter } = await (choice === "off" ? leastWay(find) : choose());
	if (choice === "required" && missing.length > 0) {
		throw new MachineError(
			"program_unusable",
			`ffmpeg can't be confined here: ${sentence(missing)}.${failures.length > 0 ? ` (${failures.join("; ")})` : ""}`,
		);
	}
	if (choice === "preferred" && missing.length > 0)
		logger?.warn({ missing, failures }, `ffmpeg is not confined here as it could be: ${sentence(missing)}`);
	return {
		missing,
		async confine(command, files) {
			const isReadable = wrapReading === undefined || (await handOver(files));
			const groups = isOfRoot() ? await groupsOf(files.devices) : [];
			return { command: (isReadable ? wrap : wrapReading)(command, files, groups), filter };
		},
	};
}

const sentence = (missing: readonly ConfinementPart[]): string =>
	missing.map((part) => confinementParts[part]).join(", ");
