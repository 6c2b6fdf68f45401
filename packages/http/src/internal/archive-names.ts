import { ReelmillError } from "@reelmill/contracts";
import type { Entry } from "yauzl";

const invalid = (name: string, reason: string) =>
	new ReelmillError("invalid_zip_entry", { message: `${JSON.stringify(name.slice(0, 200))} ${reason}.` });
const typeMask = 0o170000;
const plainTypes = [0, 0o100000, 0o040000];

/**
 * Checks what kind of entry this is.
 *
 * @throws {ReelmillError} `invalid_zip_entry` when it is encrypted, packed by an unknown method, a link or a device.
 */
export function checkEntry(entry: Entry): void {
	if (entry.isEncrypted()) throw invalid(entry.fileName, "is encrypted");
	if (!entry.canDecodeFileData()) throw invalid(entry.fileName, "is packed by an unknown method");
	if (!plainTypes.includes((entry.externalFileAttributes >>> 16) & typeMask))
		throw invalid(entry.fileName, "is neither a file nor a folder");
}

/**
 * Creates a check for the names of one archive. Call it with each name. It throws `invalid_zip_entry` when a name is
 * not a plain relative path, comes twice, or names both a file and a folder.
 */
export function createNameCheck(): (name: string) => void {
	const files = new Set<string>();
	const folders = new Set<string>();
	return (name) => {
		const isFolder = name.endsWith("/");
		const path = isFolder ? name.slice(0, -1) : name;
		if (path.length > 512) throw invalid(name, "is not a path that outputs may have");
		const parts = path.split("/");
		const plain = parts.every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..");
		if (!plain) throw invalid(name, "is not a path that outputs may have");
		const parents = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
		if (files.has(path) || (!isFolder && folders.has(path)) || parents.some((parent) => files.has(parent)))
			throw invalid(name, "comes twice");
		if (isFolder) folders.add(path);
		else files.add(path);
		for (const parent of parents) folders.add(parent);
	};
}
