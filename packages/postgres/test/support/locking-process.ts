import { lockDirectory } from "@reelmill/postgres/embedded";

/**
 * Tries so many times to lock a directory, and says how often it was refused and how long, in milliseconds, the longest
 * try took.
 */
const [directory = "", times = "1", kind = "exclusive"] = process.argv.slice(2);
let [refused, longest] = [0, 0];
for (let attempt = 0; attempt < Number(times); attempt++) {
	const begun = performance.now();
	try {
		await (await lockDirectory(directory, kind as "exclusive" | "shared")).release();
	} catch (error) {
		if ((error as Error).name === "DirectoryInUseError") refused++;
	}
	longest = Math.max(longest, performance.now() - begun);
}
process.stdout.write(JSON.stringify({ refused, longest }));
