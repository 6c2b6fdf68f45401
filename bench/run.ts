import { constants } from "node:os";
import { authenticatedGet } from "./authenticated-get.ts";
import { check } from "./check.ts";
import { delivery } from "./delivery.ts";
import { edgeCache } from "./edge/edge-cache.ts";
import { edgeCpu } from "./edge/edge-cpu.ts";
import { edgeRevocations } from "./edge/edge-revocations.ts";
import { edgeTrace } from "./edge/edge-trace.ts";
import { firstCallOfTests } from "./first-call.ts";
import { hotUpdates } from "./hot-updates.ts";
import { instructions } from "./instructions.ts";
import { laterOperations } from "./later-operations.ts";
import { mediaChunks } from "./media/chunks.ts";
import { mediaCut } from "./media/cut.ts";
import { mediaH264First } from "./media/h264-first.ts";
import { mediaJob } from "./media/job.ts";
import { mediaMotion } from "./media/motion.ts";
import { ogPicture } from "./media/og-picture.ts";
import { mediaOpening } from "./media/opening.ts";
import { mediaOutro } from "./media/outro.ts";
import { mediaQuality } from "./media/quality.ts";
import { mediaWarnings } from "./media/warnings.ts";
import { memory } from "./memory.ts";
import { migrations } from "./migrations.ts";
import { placedClaims } from "./placed-claims.ts";
import { placedStarts } from "./placed-starts.ts";
import { playerBytes } from "./player/bytes.ts";
import { segmentLength } from "./player/segment-length.ts";
import { processes } from "./processes.ts";
import { s3LatePart } from "./s3-late-part.ts";
import { s3Upload } from "./s3-upload.ts";
import { longQueue, uploadLeases, videoSearch } from "./scale.ts";
import { scrape } from "./scrape.ts";
import { childrenLeft } from "./server-process.ts";
import { sizingMedia } from "./sizing/media.ts";
import { sizingService } from "./sizing/service.ts";
import { tracing } from "./tracing.ts";
import { transcripts } from "./transcripts.ts";
import { upload } from "./upload.ts";
import { webhookDays } from "./webhook-days.ts";

const benchmarks: Record<string, (rounds?: number) => Promise<void>> = {
	"authenticated-get": authenticatedGet,
	check: () => check(),
	"claim-queue": longQueue,
	delivery,
	"edge-cache": edgeCache,
	"edge-cpu": edgeCpu,
	"edge-revocations": edgeRevocations,
	"edge-trace": edgeTrace,
	"first-call": firstCallOfTests,
	"hot-updates": hotUpdates,
	instructions,
	"later-operations": laterOperations,
	"media-chunks": mediaChunks,
	"media-h264-first": mediaH264First,
	"media-job": mediaJob,
	"media-motion": mediaMotion,
	"media-opening": mediaOpening,
	"media-cut": mediaCut,
	"media-outro": mediaOutro,
	"media-quality": () => mediaQuality(),
	"media-warnings": mediaWarnings,
	migrations,
	memory,
	"og-picture": () => ogPicture(),
	"placed-claims": placedClaims,
	"placed-starts": placedStarts,
	"player-bytes": () => playerBytes(),
	processes,
	"s3-late-part": s3LatePart,
	"s3-upload": s3Upload,
	"sizing-media": sizingMedia,
	"sizing-service": sizingService,
	tracing,
	transcripts,
	scrape,
	"segment-length": segmentLength,
	upload,
	"upload-leases": (seconds) => uploadLeases(seconds),
	"video-search": (thousands) => videoSearch(thousands),
	"webhook-days": (days) => webhookDays(days),
};
const usage = `Usage: npm run bench -- [all | ${Object.keys(benchmarks).join(" | ")}] [rounds]`;

const [name = "all", rounds, ...rest] = process.argv.slice(2);
if (name === "--help") {
	console.log(usage);
	process.exit(0);
}
const chosen = Object.entries(benchmarks).filter(([benchmark]) => name === "all" || benchmark === name);
if (chosen.length === 0 || rest.length > 0 || (rounds !== undefined && !(Number(rounds) >= 1))) {
	console.error(chosen.length === 0 ? `${name} is no benchmark. ${usage}` : usage);
	process.exit(1);
}
/** Returns how many there were. */
function endChildren(): number {
	const left = childrenLeft();
	for (const pid of left) process.kill(pid, "SIGKILL");
	return left.length;
}
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.once(signal, () => {
		endChildren();
		process.exit(128 + constants.signals[signal]);
	});
const failed: string[] = [];
for (const [benchmark, run] of chosen) {
	if (name === "all") console.log(`\n${benchmark}`);
	try {
		await run(rounds === undefined ? undefined : Number(rounds));
	} catch (error) {
		if (name !== "all") throw error;
		console.error(error);
		failed.push(benchmark);
	}
	const left = endChildren();
	if (left > 0) failed.push(`${benchmark}, which left ${left} processes`);
}
if (failed.length > 0) {
	console.error(`These benchmarks failed: ${failed.join(", ")}.`);
	process.exitCode = 1;
}
