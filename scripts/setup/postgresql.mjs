import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "./paths.mjs";

const debianFolder = "/usr/lib/postgresql";

/**
 * The system's PostgreSQL, on which the database tests run a second time. Debian keeps its programs out of the PATH.
 * @type {import("./programs.mjs").Program}
 */
export const postgresql = {
	name: "initdb (PostgreSQL)",
	find: findInitdb,
	debian: "postgresql",
	brew: "postgresql@17",
};

/** The folder with PostgreSQL's programs, the newest version first; undefined where there is none. */
export function findPostgresqlFolder() {
	const found = findInitdb();
	return found && dirname(found);
}

function findInitdb() {
	const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : [];
	const folders = [
		...versions.map((version) => join(debianFolder, version, "bin")),
		"/opt/homebrew/opt/postgresql@17/bin",
	];
	return folders.map((folder) => findProgram(join(folder, "initdb"))).find(Boolean) ?? findProgram("initdb");
}
