import { randomBytes, randomUUID } from "node:crypto";
import { access, constants, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StartError } from "@reelmill/settings";

/**
 * Creates the data directory unless it exists, so that it outlives a power cut.
 *
 * @throws {StartError} when the directory can't be created or written to.
 */
export async function openDataDirectory(directory: string): Promise<void> {
	try {
		const first = await mkdir(directory, { recursive: true });
		if (first !== undefined)
			for (let at = resolve(directory); at !== dirname(resolve(first)); at = dirname(at))
				await syncDirectory(dirname(at));
		await access(directory, constants.W_OK | constants.X_OK);
	} catch (cause) {
		const remedy = "set REELMILL_DATA_DIR to one that can, or mend its permissions";
		throw new StartError(`The data directory ${directory} can't be written (${reason(cause)}); ${remedy}.`, { cause });
	}
}

/**
 * Returns the text of a private file. `make` makes the text if there is no file yet. The file then outlives a power
 * cut. Two servers that call this at once get the same text. A server that is killed meanwhile leaves a whole file or
 * none.
 *
 * @throws {StartError} when the file can't be read or written.
 */
export async function keepPrivateFile(directory: string, name: string, make: () => Promise<string>): Promise<string> {
	const path = join(directory, name);
	const kept = await readFile(path, "utf8").catch(absent);
	if (kept !== null) {
		await keepName(directory, path);
		return kept.trim();
	}
	const text = await make();
	const draft = `${path}.${randomUUID()}`;
	try {
		await writeDurably(draft, `${text}\n`);
		await link(draft, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return keepPrivateFile(directory, name, make);
		throw new StartError(`${path} can't be written (${reason(error)}).`, { cause: error });
	} finally {
		await rm(draft, { force: true });
	}
	await keepName(directory, path);
	return text;
}

/**
 * Syncs the directory, and with it the file's name. The file itself was synced before it got its name, but the server
 * that named it may have been killed before it synced the directory.
 */
async function keepName(directory: string, path: string): Promise<void> {
	try {
		await syncDirectory(directory);
	} catch (cause) {
		throw new StartError(`${path} can't be made to outlive a power cut (${reason(cause)}).`, { cause });
	}
}

async function writeDurably(path: string, text: string): Promise<void> {
	const file = await open(path, "wx", 0o600);
	try {
		await file.writeFile(text);
		await file.sync();
	} finally {
		await file.close();
	}
}

async function syncDirectory(path: string): Promise<void> {
	const directory = await open(path);
	try {
		await directory.sync();
	} finally {
		await directory.close();
	}
}

/** Returns the installation's master key. It is made once, and only its owner can read the file. */
export async function keepMasterKey(directory: string): Promise<Uint8Array> {
	const key = Buffer.from(
		await keepPrivateFile(directory, "master.key", async () => randomBytes(32).toString("base64")),
		"base64",
	);
	if (key.byteLength < 32)
		throw new StartError(
			`${join(directory, "master.key")} does not hold a key of 32 bytes; ` +
				"put back the one that was there, or set REELMILL_MASTER_KEY.",
		);
	return key;
}

const reason = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
const absent = (error: NodeJS.ErrnoException): null => {
	if (error.code === "ENOENT") return null;
	throw new StartError(`${error.path ?? "A file of the data directory"} can't be read (${reason(error)}).`, {
		cause: error,
	});
};
