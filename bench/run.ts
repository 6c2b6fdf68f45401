import { authenticatedGet } from "./authenticated-get.ts";
import { listing } from "./listing.ts";
import { media } from "./media.ts";
import { rateLimits } from "./rate-limits.ts";
import { s3LatePart } from "./s3-late-part.ts";
import { s3Upload } from "./s3-upload.ts";

const benchmarks: Record<string, (rounds?: number) => Promise<void>> = {
	"authenticated-get": authenticatedGet,
	listing,
	media,
	"rate-limits": rateLimits,
	"s3-late-part": s3LatePart,
	"s3-upload": s3Upload,
};
const usage = `Usage: npm run bench -- [${Object.keys(benchmarks).join(" | ")}] [rounds]`;

const [name, rounds, ...rest] = process.argv.slice(2);
const chosen = name === undefined ? Object.values(benchmarks) : [benchmarks[name]];
if (rest.length > 0 || (rounds !== undefined && !(Number(rounds) >= 1))) {
	console.error(usage);
	process.exit(1);
}
for (const run of chosen) {
	if (run === undefined) {
		console.error(`${name} is no benchmark. ${usage}`);
		process.exit(1);
	}
	await run(rounds === undefined ? undefined : Number(rounds));
}
