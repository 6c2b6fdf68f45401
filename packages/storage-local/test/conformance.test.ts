import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conforms, objectStorageCases, uploadStoreCases } from "@reelmill/conformance";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { describe, it } from "vitest";

const inTemporary =
	<Subject>(create: (directory: string) => Subject) =>
	async () => {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-storage-"));
		return { subject: create(directory), close: () => rm(directory, { recursive: true, force: true }) };
	};

/** Makes every sync of a file fail. */
async function whileFailing(use: () => Promise<void>): Promise<void> {
	const file = await open("/dev/null");
	const prototype = Object.getPrototypeOf(file) as FileHandle;
	await file.close();
	const { datasync } = prototype;
	prototype.datasync = () => Promise.reject(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
	try {
		await use();
	} finally {
		prototype.datasync = datasync;
	}
}

conforms(
	"local object storage",
	objectStorageCases,
	inTemporary((directory) => ({
		storage: createLocalObjectStorage({ directory }),
		elsewhere: createLocalObjectStorage({ directory }),
	})),
	{ describe, it },
	["open", "copy", "survey"],
);
conforms(
	"local upload store",
	uploadStoreCases,
	inTemporary((directory) => ({
		store: createLocalUploadStore({ directory }),
		elsewhere: createLocalUploadStore({ directory }),
		whileFailing,
	})),
	{ describe, it },
	["survey", "failing"],
);
