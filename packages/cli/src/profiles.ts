import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";

/** Where a service is, and the keys to it. */
export type Profile = { url: string; api_key?: string; admin_key?: string };
/** What the file holds. `current` is the profile of commands that name none. */
export type Profiles = { current: string | null; profiles: Record<string, Profile> };

/** Returns the directory for what this user keeps of a kind; undefined if the environment names no home. */
export function userDirectory(
	{ environment }: Pick<CliIo, "environment">,
	kind: "config" | "state",
): string | undefined {
	const { XDG_CONFIG_HOME, XDG_STATE_HOME, HOME, APPDATA, LOCALAPPDATA } = environment;
	const named = kind === "config" ? (XDG_CONFIG_HOME ?? APPDATA) : (XDG_STATE_HOME ?? LOCALAPPDATA);
	if (named !== undefined && named !== "") return join(named, "reelmill");
	if (HOME === undefined || HOME === "") return undefined;
	return join(HOME, ...(kind === "config" ? [".config"] : [".local", "state"]), "reelmill");
}

/**
 * Writes a file that only this user can read, as a whole: a reader sees the old one or the new one. Its directory is
 * made if it is missing.
 */
export function writePrivateFile(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const next = `${path}.${process.pid}`;
	try {
		writeFileSync(next, text, { mode: 0o600 });
		chmodSync(next, 0o600);
		renameSync(next, path);
	} finally {
		rmSync(next, { force: true });
	}
}

const fileOf = (io: Pick<CliIo, "environment">): string | undefined => {
	const directory = userDirectory(io, "config");
	return directory === undefined ? undefined : join(directory, "profiles.json");
};

/**
 * Reads the profiles of this user; none if there is no file.
 * @throws {UsageError} when the file is damaged, or can be read by other users
 */
export function readProfiles(io: Pick<CliIo, "environment">): Profiles {
	const path = fileOf(io);
	if (path === undefined || !existsSync(path)) return { current: null, profiles: {} };
	if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
		throw new UsageError(
			`Others can read the keys in ${path}. Run chmod 600 on it, and rotate the keys if others use this machine.`,
		);
	try {
		const { current = null, profiles } = JSON.parse(readFileSync(path, "utf8")) as Partial<Profiles>;
		if (typeof profiles !== "object" || profiles === null) throw new TypeError("no profiles");
		return { current, profiles };
	} catch {
		throw new UsageError(`${path} is damaged. Remove it, and log in again.`);
	}
}

/**
 * Writes the profiles, for this user alone. Returns the file's path.
 * @throws {UsageError} when the environment names no home
 */
export function writeProfiles(io: Pick<CliIo, "environment">, profiles: Profiles): string {
	const path = fileOf(io);
	if (path === undefined) throw new UsageError("Profiles can't be kept: HOME is not set.");
	writePrivateFile(path, `${JSON.stringify(profiles, null, "\t")}\n`);
	return path;
}

/**
 * Returns the profile that a command uses, with its name: the named one, or the current one. Undefined if none is named
 * and none is current.
 * @throws {UsageError} when there is no profile of the name
 */
export function chosenProfile(
	io: Pick<CliIo, "environment">,
	named: string | undefined,
): (Profile & { readonly name: string }) | undefined {
	const { current, profiles } = readProfiles(io);
	const name = named ?? io.environment.REELMILL_PROFILE ?? current ?? undefined;
	if (name === undefined) return undefined;
	const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
	if (profile !== undefined) return { ...profile, name };
	const known = Object.keys(profiles).join(", ");
	throw new UsageError(
		`There is no profile ${name}${known === "" ? "" : `, only ${known}`}. reelmill login --profile ${name} makes one.`,
	);
}
