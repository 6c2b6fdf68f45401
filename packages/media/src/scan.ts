import type { Programs, RunOptions } from "./programs.ts";

/** What the packets of one stream show. */
export type PacketScan = { readonly count: number; readonly startSeconds: number; readonly endSeconds: number; readonly uneven: boolean };

type Tally = { count: number; start: number; end: number; lastStart: number; lastHasDuration: boolean; times: number[] };

const finish = (tally: Tally): PacketScan => {
	const times = tally.times.sort((a, b) => a - b);
	const gaps = times.slice(1).map((time, n) => time - (times[n] as number));
	const mean = gaps.length === 0 ? 0 : ((times.at(-1) as number) - (times[0] as number)) / gaps.length;
	// A last packet of unknown duration lasts as long as the others do on average.
	const end = tally.lastHasDuration ? tally.end : Math.max(tally.end, tally.lastStart + mean);
	// Milliseconds are as fine as some containers count: a gap is uneven from 2 ms off and a fifth.
	const uneven = gaps.some((gap) => Math.abs(gap - mean) > Math.max(0.002, mean / 5));
	return { count: tally.count, startSeconds: tally.start, endSeconds: end, uneven };
};

/** Counts the packets of every stream, by its index, without decoding one. Packets that an edit list hides don't count. */
export async function scanPackets(programs: Programs, input: readonly string[], options: RunOptions): Promise<Map<number, PacketScan>> {
	const tallies = new Map<number, Tally>();
	const take = (line: string) => {
		const [index = "", pts = "", dts = "", duration = "", flags = ""] = line.split(",");
		if (index === "" || flags.includes("D")) return;
		const length = Number.parseFloat(duration);
		const before = tallies.get(Number(index));
		// Where only the decoding time is known (AVI, the end of an MPEG-PS), the packet follows on the one shown last.
		const following = before === undefined ? Number.NaN : before.lastStart + length;
		const start = [Number.parseFloat(pts), following, Number.parseFloat(dts)].find((time) => !Number.isNaN(time));
		if (start === undefined) return;
		const tally = before ?? { count: 0, start, end: start, lastStart: start, lastHasDuration: false, times: [] };
		tally.count += 1;
		tally.start = Math.min(tally.start, start);
		tally.end = Math.max(tally.end, start + (Number.isNaN(length) ? 0 : length));
		if (start >= tally.lastStart) Object.assign(tally, { lastStart: start, lastHasDuration: !Number.isNaN(length) && length > 0 });
		tally.times.push(start);
		tallies.set(Number(index), tally);
	};
	let rest = "";
	const onOutput = (chunk: Buffer) => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		lines.forEach(take);
	};
	const fields = "packet=stream_index,pts_time,dts_time,duration_time,flags";
	await programs.run("ffprobe", ["-v", "error", "-show_entries", fields, "-of", "csv=p=0", ...input], { ...options, onOutput });
	return new Map([...tallies].map(([stream, tally]) => [stream, finish(tally)]));
}
