import { writeSync } from "node:fs";
import { createLocalUploadStore } from "@reelmill/storage-local";
import { pattern } from "./pattern.ts";

/** Appends for ever and writes each offset to standard output as soon as it is acknowledged. */
const [directory = "", id = ""] = process.argv.slice(2);
const store = createLocalUploadStore({ directory });
await store.create(id);
async function* pieces(offset: number): AsyncGenerator<Uint8Array> {
	for (let piece = 0; piece < 40; piece++) yield pattern(offset + piece * 8000, 8000);
}
for (let offset = 0; ; ) {
	offset = await store.append(id, offset, pieces(offset), { limit: Number.MAX_SAFE_INTEGER });
	writeSync(1, `${offset}\n`);
}
