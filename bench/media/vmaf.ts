import { execFile } from "node:child_process";
import { promisify } from "node:util";

const program = process.env.REELMILL_BENCH_VMAF;
/** Whether VMAF can be measured. */
export const measuresVmaf = program !== undefined;

/**
 * Returns the VMAF of a file, from 0 to 100: the mean of its pictures, by the model for television (vmaf_v0.6.1). The
 * source is scaled to the file's size. Measured by the ffmpeg that REELMILL_BENCH_VMAF names, since Debian's lacks
 * libvmaf; undefined if it names none.
 */
export async function vmafOf(path: string, source: string): Promise<number | undefined> {
	if (program === undefined) return undefined;
	const graph =
		"[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[s];[s][a]scale2ref=flags=bicubic[b][c];[c][b]libvmaf=n_threads=2";
	const args = ["-nostdin", "-nostats", "-i", path, "-i", source, "-lavfi", graph, "-f", "null", "-"];
	const { stderr } = await promisify(execFile)(program, args);
	return Number(/VMAF score: ([\d.]+)/.exec(stderr)?.[1] ?? Number.NaN);
}
