import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";

const manifest = "packages/engine/package.json";
const baseline = "packages/engine/migrations/0001-schema.sql";
const git = async (...args: string[]): Promise<string> => (await run("git", args, root)).trim();
const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/**
 * Returns the commit of the release before: the last one that changed the packages' version, or the one before that if
 * a new version has just been made. Until there is one, it is the commit that brought the first schema.
 *
 * @throws {Error} when the history has neither.
 */
export async function findReleaseBefore(): Promise<string> {
	const head = await git("rev-parse", "HEAD");
	const [first] = lines(
		await git("log", "--first-parent", "-m", "--diff-filter=A", "--format=%H", "--", baseline),
	).toReversed();
	if (first === undefined) throw new Error("There is no release before this one: name a commit by --from.");
	for (const commit of lines(await git("log", "--format=%H", `${first}..`, "--", manifest))) {
		if (commit === head) continue;
		const before = await versionAt(`${commit}^`);
		if (before !== null && before !== (await versionAt(commit))) return commit;
	}
	return first;
}

/** Returns the number of the newest migration that a commit has. */
export async function newestMigrationAt(commit: string): Promise<string> {
	const files = lines(await git("ls-tree", "--name-only", commit, "packages/engine/migrations/"));
	const [newest] = files
		.map((path) => path.split("/").at(-1) ?? "")
		.toSorted()
		.toReversed();
	if (newest === undefined) throw new Error(`${commit} has no migrations.`);
	return newest.slice(0, 4);
}

/** Returns the commit that a name stands for. */
export const findCommit = (name: string): Promise<string> => git("rev-parse", "--verify", `${name}^{commit}`);

async function versionAt(commit: string): Promise<string | null> {
	const text = await git("show", `${commit}:${manifest}`).catch(() => null);
	return text === null ? null : (JSON.parse(text) as { version: string }).version;
}
