import fs from "node:fs";
import { mkdtemp, open as openFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uploadStoreCases } from "@reelmill/conformance";
import { FileStore } from "@tus/file-store";
import { vi } from "vitest";
import { createTusDataStore } from "../src/index.ts";
import { furtherCases } from "./support/further-cases.ts";
import { comparesWithTable } from "./support/table.ts";

/** Makes every sync of a file fail. */
async function whileFailing(use: () => Promise<void>): Promise<void> {
	const error = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
	await using file = await openFile("/dev/null");
	const handles = Object.getPrototypeOf(file) as typeof file;
	for (const name of ["sync", "datasync"] as const) vi.spyOn(handles, name).mockRejectedValue(error);
	for (const name of ["fsync", "fdatasync"] as const)
		vi.spyOn(fs, name).mockImplementation((_descriptor, callback) => callback(error));
	try {
		await use();
	} finally {
		vi.restoreAllMocks();
	}
}

async function open() {
	const directory = await mkdtemp(join(tmpdir(), "tus-data-store-"));
	return {
		subject: {
			store: createTusDataStore(new FileStore({ directory })),
			elsewhere: createTusDataStore(new FileStore({ directory })),
			whileFailing,
		},
		close: () => rm(directory, { recursive: true }),
	};
}

comparesWithTable("FileStore", [...uploadStoreCases, ...furtherCases], open);
