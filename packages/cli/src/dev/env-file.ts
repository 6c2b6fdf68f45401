import { existsSync, readFileSync } from "node:fs";
import { writePrivateFile } from "../profiles.ts";

/**
 * Writes settings into a file, one `NAME=value` a line, that only this user can read. Lines of other names stay as they
 * are, and so does the rest of the file; a line of the same name is replaced.
 */
export function writeEnvFile(path: string, settings: Readonly<Record<string, string>>): void {
	const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
	const isOurs = (line: string) => Object.keys(settings).some((name) => line.startsWith(`${name}=`));
	const kept = lines.filter((line) => !isOurs(line)).join("\n");
	const written = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
	writePrivateFile(path, `${kept === "" ? "" : `${kept}\n`}${written.join("")}`);
}
