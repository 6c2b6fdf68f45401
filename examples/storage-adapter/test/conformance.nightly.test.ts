import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	conforms,
	objectStorageCases,
	uploadStoreCases,
	writeOnlyObjectStorageCases,
	writeOnlyUploadStoreCases,
} from "@reelmill/conformance";
import { describe, it } from "vitest";
import { createSqliteObjectStorage, createSqliteUploadStore, openSqliteFile, type SqliteFile } from "../src/index.ts";

async function openFiles() {
	const directory = await mkdtemp(join(tmpdir(), "sqlite-storage-"));
	const files = [
		openSqliteFile(join(directory, "videos.sqlite")),
		openSqliteFile(join(directory, "videos.sqlite")),
	] as const;
	async function close() {
		for (const file of files) file.close();
		await rm(directory, { recursive: true });
	}
	return { files, close };
}

async function openUploads(options = {}) {
	const { files, close } = await openFiles();
	return {
		subject: {
			store: createSqliteUploadStore(files[0], options),
			elsewhere: createSqliteUploadStore(files[1], options),
		},
		close,
	};
}

async function openOutputs(options = {}) {
	const { files, close } = await openFiles();
	const inFile = (file: SqliteFile) => createSqliteObjectStorage(file, { keyPrefix: "some/videos", ...options });
	return { subject: { storage: inFile(files[0]), elsewhere: inFile(files[1]) }, close };
}

conforms("uploads in a SQLite file", uploadStoreCases, openUploads, { describe, it });
conforms("outputs in a SQLite file", objectStorageCases, openOutputs, { describe, it });
conforms("uploads in a file that gives no bytes", writeOnlyUploadStoreCases, () => openUploads({ writeOnly: true }), {
	describe,
	it,
});
conforms("outputs in a file that gives no bytes", writeOnlyObjectStorageCases, () => openOutputs({ writeOnly: true }), {
	describe,
	it,
});
