import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestGateway } from "@reelmill/storage-s3/testing";
import type { UploadStoreRun, UploadStoreUsage } from "./servers/upload-store.ts";
import { wanted } from "./wanted.ts";

const program = fileURLToPath(new URL("./servers/upload-store.ts", import.meta.url));
const bytes = 200_000_000;
const megabytes = (value: number): string => (value / 1e6).toFixed(0);
const median = (values: readonly number[]): number =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the CPU seconds that a sum of 200 MB costs on this machine. */
function costOf(sum: "sha256" | "md5"): number {
	const block = randomBytes(64 * 1024);
	const hash = createHash(sum);
	const started = process.cpuUsage();
	for (let at = 0; at < bytes; at += block.length) hash.update(block);
	hash.digest();
	const { user, system } = process.cpuUsage(started);
	return (user + system) / 1e6;
}

/**
 * Measures an upload of 200 MB into a bucket against @tus/s3-store alone, in CPU seconds per GB. The two run in turn on
 * one gateway, each run in its own process that has sent as much before. The target is at most 0.5. @tus/s3-store
 * checks nothing, so the cost of our sums, by the cheaper one on this machine, is printed too. Then prints the memory
 * that four uploads at the same time hold: at most 32 MB each.
 */
export async function s3Upload(rounds = 5): Promise<void> {
	const sums = { sha256: costOf("sha256"), md5: costOf("md5") };
	const perGigabyte = (cpuSeconds: number): string => (cpuSeconds / (bytes / 1e9)).toFixed(2);
	console.log(`s3-upload  sums here: SHA-256 ${perGigabyte(sums.sha256)} s/GB, MD5 ${perGigabyte(sums.md5)} s/GB`);
	const gateway = await startTestGateway();
	const run = async (settings: Omit<UploadStoreRun, "server">): Promise<UploadStoreUsage> => {
		const { stdout } = await promisify(execFile)(process.execPath, [
			program,
			JSON.stringify({ ...settings, server: gateway.server }),
		]);
		return JSON.parse(stdout) as UploadStoreUsage;
	};
	try {
		const ratios: number[] = [];
		const unchecked: number[] = [];
		for (let round = 0; round < rounds; round += 1) {
			const [reference, ours] = [
				await run({ side: "s3-store", bytes, atOnce: 1 }),
				await run({ side: "ours", bytes, atOnce: 1 }),
			];
			ratios.push(ours.cpuSeconds / reference.cpuSeconds);
			unchecked.push((ours.cpuSeconds - Math.min(sums.sha256, sums.md5)) / reference.cpuSeconds);
			const cost = ({ cpuSeconds, seconds }: UploadStoreUsage) =>
				`${perGigabyte(cpuSeconds)} s/GB (${seconds.toFixed(1)} s)`;
			console.log(`s3-upload  S3Store ${cost(reference)}  ours ${cost(ours)}  ratio ${ratios.at(-1)?.toFixed(2)}`);
		}
		console.log(
			`s3-upload  median ratio of CPU ${median(ratios).toFixed(2)} (wanted: ${wanted["s3-upload"]}),`,
			`${median(unchecked).toFixed(2)} without the sums of parts`,
		);
		const atOnce = 4;
		for (const side of ["s3-store", "ours"] as const) {
			const { arrayBuffers, rss } = await run({ side, bytes: bytes / 2, atOnce });
			console.log(
				`s3-upload  ${side}, ${atOnce} at once: ${megabytes(arrayBuffers / atOnce)} MB of buffers,`,
				`${megabytes(rss / atOnce)} MB resident each`,
			);
		}
	} finally {
		await gateway.close();
	}
}
