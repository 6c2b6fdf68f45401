import { randomUUID } from "node:crypto";
import { createSqliteUploadStore, openSqliteFile } from "../../src/index.ts";
import { pattern } from "./pattern.ts";

/**
 * Appends for ever to the file of its first argument. Writes the upload's id on the first line, then each returned
 * offset on a line.
 */
const store = createSqliteUploadStore(openSqliteFile(process.argv[2] ?? ""));
const id = randomUUID();
const length = 700_001;
await store.create(id);
console.log(id);
for (let offset = 0; ; ) {
	offset = await store.append(id, offset, pattern(offset, length), { limit: Number.MAX_SAFE_INTEGER });
	console.log(offset);
}
