import { execFile } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Tools } from "@reelmill/media";
import { median } from "../median.ts";

/**
 * Runs a program of root as a job runs it: without the right by which SVT-AV1 gives its threads real-time priority,
 * which nothing preempts.
 */
const [program, ...ahead] =
	process.getuid?.() === 0
		? ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "--", "ffmpeg"]
		: ["ffmpeg"];

export const ffmpeg = async (...args: string[]): Promise<string> =>
	(
		await promisify(execFile)(program as string, [...ahead, "-nostdin", "-v", "error", "-y", ...args], {
			env: { SVT_LOG: "1", PATH: process.env.PATH },
			maxBuffer: 64 * 1024 ** 2,
		})
	).stderr;

/**
 * Returns the CPU time of all ended children, in clock ticks of 10 ms. This process's own time, in which it watches the
 * memory, doesn't count.
 */
export async function ticks(): Promise<number> {
	const fields = (await readFile("/proc/self/stat", "utf8")).replace(/^.*\) /, "").split(" ");
	return Number(fields[13]) + Number(fields[14]);
}

export type Taken = { readonly seconds: number; readonly processor: number; readonly memory: number };

/**
 * Runs once; returns the seconds of wall clock and of CPU, and the most bytes that this process and its descendants had
 * in memory together.
 */
export async function measure(run: () => Promise<unknown>): Promise<Taken> {
	let memory = 0;
	const timer = setInterval(async () => {
		memory = Math.max(memory, await residentBytes());
	}, 1000);
	try {
		const [started, before] = [performance.now(), await ticks()];
		await run();
		return { seconds: (performance.now() - started) / 1000, processor: ((await ticks()) - before) / 100, memory };
	} finally {
		clearInterval(timer);
	}
}

async function residentBytes(): Promise<number> {
	const parents = new Map<number, { parent: number; bytes: number }>();
	for (const name of await readdir("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		const fields = (await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")).replace(/^.*\) /, "").split(" ");
		parents.set(pid, { parent: Number(fields[1]), bytes: Number(fields[21]) * 4096 || 0 });
	}
	const isBelow = (pid: number): boolean =>
		pid === process.pid || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid)?.parent ?? 0));
	return [...parents].reduce((sum, [pid, { bytes }]) => sum + (isBelow(pid) ? bytes : 0), 0);
}

/** Formats ratios of runs that took turns for a table's row: the median, the smallest and the largest. */
export const spread = (values: readonly number[]): string =>
	`${median(values).toFixed(3)} (${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)})`;

/** Formats how busy the whole machine is: the processes that want to run, over the last minute. */
export const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`;

/** One run of ffmpeg: its arguments, and its CPU time in seconds. */
export type Run = { readonly command: string; readonly processor: number };

/**
 * Opens an ffmpeg that records the cost of each run that may write. It is not confined, since that would hide the cost.
 */
export async function openMeter(folder: string): Promise<{ readonly tools: Tools; runs(): Promise<Run[]> }> {
	const [program, log] = [join(folder, "metered-ffmpeg"), join(folder, "runs")];
	const script = [
		"#!/bin/bash",
		'ffmpeg="$(PATH=/usr/local/bin:/usr/bin:/bin command -v ffmpeg)"',
		"# What may write no file can't be recorded: a look at the source.",
		'[ "$(ulimit -f)" = 0 ] && exec "$ffmpeg" "$@"',
		`out="${log}.$$"; TIMEFORMAT="%U %S"`,
		'printf "%s " "$@" | tr "\\n" " " > "$out"; echo >> "$out"',
		'{ time "$ffmpeg" "$@" 2>&3; } 3>&2 2>> "$out"',
	];
	await writeFile(program, `${script.join("\n")}\n`);
	await chmod(program, 0o755);
	return {
		tools: { ffmpeg: program, ffprobe: "ffprobe", confinement: "off" },
		async runs() {
			const names = (await readdir(folder)).filter((name) => name.startsWith("runs."));
			return Promise.all(
				names.map(async (name) => {
					const [command = "", times = ""] = (await readFile(join(folder, name), "utf8")).trimEnd().split("\n");
					const [user = 0, system = 0] = times.split(" ").map(Number);
					return { command, processor: user + system };
				}),
			);
		},
	};
}

/** Returns how similar a rendition is to its source, from 0 to 1. */
export async function likeness(path: string, source: string, rate: string): Promise<number> {
	const graph = `[1:v]fps=${rate}:start_time=0[r];[r][0:v]scale2ref=flags=bicubic[b][a];[a][b]ssim`;
	const { stderr } = await promisify(execFile)("ffmpeg", [
		"-nostdin",
		"-v",
		"info",
		"-nostats",
		"-i",
		path,
		"-i",
		source,
		"-lavfi",
		graph,
		"-f",
		"null",
		"-",
	]);
	return Number(/SSIM.*All:([\d.]+)/.exec(stderr)?.[1] ?? Number.NaN);
}
