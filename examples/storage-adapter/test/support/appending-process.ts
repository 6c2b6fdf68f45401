import { randomUUID } from "node:crypto";
import { createSqliteUploadStore, openSqliteFile } from "../../src/index.ts";
import { pattern } from "./pattern.ts";

/**
 * Appends for ever to the file of its first argument, and writes each answered offset on a line, after the id on the
 * first.
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
