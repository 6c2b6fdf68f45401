import { lockDirectory } from "@reelmill/postgres/embedded";

/**
 * Tries several times to lock a directory. Prints how often it was refused, and how long the longest try took, in
 * milliseconds.
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
