import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { ReelmillError } from "@reelmill/contracts";
import type { Bytes } from "@reelmill/engine";
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { freeChunk } from "../node/body.ts";
import { checkEntry, createNameCheck } from "./archive-names.ts";
import { checkSpool, type Spool, SpoolReader } from "./spool.ts";

export type ArchiveEntry = {
	readonly path: string;
	readonly bytes: Bytes;
	readonly release: (chunk: Uint8Array) => void;
};
/** What an archive may hold: bytes of its files once they are extracted, and entries including folders. */
export type ArchiveLimits = { readonly bytes: number; readonly entries: number };

/**
 * How many bytes of the directory one entry may take: more than a name and the times that archivers add. All entries of
 * an archive are in memory at the same time.
 */
const entryBytes = 2048;

/**
 * Yields the files of a spooled zip. Read each file before you ask for the next one. The whole directory is checked
 * before the first file is yielded.
 *
 * @throws {ReelmillError} `bad_request` when the bytes are no zip.
 * @throws {ReelmillError} `invalid_zip_entry` when there are too many entries, when a name leaves the archive's root or
 * comes twice, or when an entry is a link, encrypted or damaged.
 * @throws {ReelmillError} `zip_too_large` when the files hold too many bytes, by the directory or once extracted.
 * @throws {ReelmillError} `storage_unavailable` when the spool can't be read.
 */
export async function* readArchive(spool: Spool, most: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
	const options = { autoClose: false, strictFileNames: true, validateEntrySizes: true };
	const zip = await fromRandomAccessReaderPromise(new SpoolReader(spool), spool.size, options).catch(
		(error: unknown) => {
			checkSpool(error);
			throw new ReelmillError("bad_request", { message: "The body is not a zip archive.", cause: error });
		},
	);
	try {
		const entries = await readDirectory(zip, most);
		const budget = { left: most.bytes };
		for (const entry of entries)
			yield { path: entry.fileName, bytes: contents(zip, entry, budget), release: freeChunk };
	} finally {
		zip.close();
	}
}

async function readDirectory(zip: ZipFile, most: ArchiveLimits): Promise<Entry[]> {
	// The archive declares this count itself, and yauzl reads no entry beyond it.
	if (zip.entryCount > most.entries)
		throw invalid(`The archive has ${zip.entryCount} entries; its job has at most ${most.entries}`);
	const files: Entry[] = [];
	const checkName = createNameCheck();
	let declared = 0;
	try {
		for await (const entry of zip.eachEntry()) {
			checkEntry(entry);
			if (entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > entryBytes)
				throw invalid("An entry says too much of itself");
			checkName(entry.fileName);
			declared += entry.uncompressedSize;
			if (declared > most.bytes) throw new ReelmillError("zip_too_large");
			if (!entry.fileName.endsWith("/")) files.push(entry);
		}
	} catch (error) {
		checkSpool(error);
		throw error instanceof ReelmillError ? error : invalid("The archive's directory is malformed", error);
	}
	return files;
}

async function* contents(zip: ZipFile, entry: Entry, budget: { left: number }): AsyncGenerator<Uint8Array> {
	let sum = 0;
	const stream: Readable = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
		checkSpool(error);
		throw invalid(`${entry.fileName} can't be read`, error);
	});
	try {
		for await (const chunk of stream as AsyncIterable<Uint8Array>) {
			budget.left -= chunk.byteLength;
			if (budget.left < 0) throw new ReelmillError("zip_too_large");
			sum = crc32(chunk, sum);
			yield chunk;
		}
	} catch (error) {
		checkSpool(error);
		throw error instanceof ReelmillError ? error : invalid(`${entry.fileName} is damaged`, error);
	}
	if (sum !== entry.crc32) throw invalid(`${entry.fileName} is damaged: its checksum differs`);
}

const invalid = (message: string, cause?: unknown) =>
	new ReelmillError("invalid_zip_entry", { message: `${message}.`, ...(cause !== undefined && { cause }) });
