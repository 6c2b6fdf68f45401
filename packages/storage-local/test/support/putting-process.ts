import { writeSync } from "node:fs";
import { createLocalObjectStorage } from "@reelmill/storage-local";
import { pattern } from "./pattern.ts";

/** Puts an object whose bytes never end, and says so once megabytes of it have been taken. */
const [directory = "", key = ""] = process.argv.slice(2);
async function* endless(): AsyncGenerator<Uint8Array> {
	for (let offset = 0; ; offset += 1_000_000) {
		if (offset === 5_000_000) {
			writeSync(1, "five\n");
			await new Promise((resolve) => setTimeout(resolve, 60_000));
		}
		yield pattern(offset, 1_000_000);
	}
}
await createLocalObjectStorage({ directory }).put(key, endless());
