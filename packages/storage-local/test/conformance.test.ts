import { mkdtemp, rm } from "node:fs/promises";
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

conforms(
	"local object storage",
	objectStorageCases,
	inTemporary((directory) => ({ storage: createLocalObjectStorage({ directory }), elsewhere: createLocalObjectStorage({ directory }) })),
	{ describe, it },
	["open", "copy", "survey"],
);
conforms(
	"local upload store",
	uploadStoreCases,
	inTemporary((directory) => ({ store: createLocalUploadStore({ directory }), elsewhere: createLocalUploadStore({ directory }) })),
	{ describe, it },
	["survey"],
);
