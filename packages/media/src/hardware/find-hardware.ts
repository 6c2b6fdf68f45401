import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openPrograms, type Programs } from "../run/programs.ts";
import type { Codec, Hardware, HardwareKind, Logger, Tools } from "../types.ts";
import { encoderName, hardwareKinds } from "./hardware.ts";
import { deviceArguments, hardwareEncoder, uploadFilters } from "./hardware-arguments.ts";
import { hardwareRun } from "./hardware-run.ts";

/** Which encoders the operator asks for: `auto` takes the first kind that works. */
export type EncoderChoice = "software" | "auto" | HardwareKind;

/** What `findHardware` looks for, and whom it tells. */
export type FindHardwareOptions = {
	readonly choice: EncoderChoice;
	/**
	 * A render node such as `/dev/dri/renderD128`, or the number of an NVIDIA card (default: each render node is tried;
	 * ffmpeg chooses the card).
	 */
	readonly device?: string | undefined;
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** An encoder that is not used, and why, in one sentence for the operator. */
export type RefusedEncoder = { readonly encoder: string; readonly because: string };

/** What was found. */
export type FoundHardware = {
	/** Undefined if everything is encoded in software. */
	readonly hardware: Hardware | undefined;
	readonly refused: readonly RefusedEncoder[];
};

/** The frames of a trial, and how often a key frame must come. */
const [trialFrames, trialGop] = [30, 15];
/** A trial is a second of a small picture. A driver that hangs must not hold up the start for long. */
const trialSeconds = 30;
const trialRate = 1_000_000;

/**
 * Tries the hardware encoders that are asked for: each encodes one second, confined as jobs are, and its packets must
 * come as a rendition's must. Logs which encoders are used, and why others are not. Never rejects because of a device:
 * without one, everything is encoded in software. With `software` it does nothing.
 * @throws {Error} when ffmpeg does not run
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { findHardware } from "@reelmill/media";
 *
 * const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
 * const { hardware } = await findHardware(tools, { choice: "software" });
 * console.log(hardware); // => undefined
 * ```
 */
export async function findHardware(tools: Tools, options: FindHardwareOptions): Promise<FoundHardware> {
	const { choice, device, logger, signal } = options;
	if (choice === "software") return { hardware: undefined, refused: [] };
	const programs = await openPrograms(tools, { signal });
	const known = await encodersOf(programs, signal);
	const refused: RefusedEncoder[] = [];
	for (const kind of choice === "auto" ? hardwareKinds : [choice]) {
		for (const candidate of await candidates(kind, device)) {
			const codecs: Codec[] = [];
			for (const codec of ["h264", "av1"] as const) {
				const because = known.has(encoderName(kind, codec))
					? await faultOf(programs, { ...candidate, kind, codecs: [codec] }, signal)
					: "this ffmpeg doesn't have it";
				if (because === null) codecs.push(codec);
				else refused.push({ encoder: nameOf(kind, codec, candidate.device), because });
			}
			if (codecs.length === 0) continue;
			const hardware = { ...candidate, kind, codecs };
			logger?.info({ hardware, refused }, "hardware encoders are used");
			return { hardware, refused };
		}
	}
	logger?.warn({ choice, refused }, "no hardware encoder works here: everything is encoded in software");
	return { hardware: undefined, refused };
}

const nameOf = (kind: HardwareKind, codec: Codec, device: string | null): string =>
	`${encoderName(kind, codec)}${device === null ? "" : ` on ${device}`}`;

async function encodersOf(programs: Programs, signal: AbortSignal | undefined): Promise<Set<string>> {
	const { stdout } = await programs.run("ffmpeg", ["-hide_banner", "-encoders"], { signal });
	return new Set([...stdout.toString("utf8").matchAll(/^ \S+ (\S+) /gm)].map(([, name]) => name as string));
}

/** Returns the devices to try, with the files that each needs. */
async function candidates(
	kind: HardwareKind,
	device: string | undefined,
): Promise<Pick<Hardware, "device" | "deviceFiles">[]> {
	if (kind === "videotoolbox") return [{ device: null, deviceFiles: [] }];
	if (kind === "nvenc") {
		const isNumber = device !== undefined && /^\d+$/.test(device);
		return [
			{ device: isNumber ? device : null, deviceFiles: await entries("/dev", /^nvidia(\d+|ctl|-uvm.*|-modeset)$/) },
		];
	}
	const nodes = device === undefined ? await entries("/dev/dri", /^renderD\d+$/) : [device];
	const found = await Promise.all(nodes.map(async (node) => ({ node, exists: await exists(node) })));
	// Without a node the trial tells what is missing.
	if (found.length === 0) return [{ device: null, deviceFiles: [] }];
	return found.map(({ node, exists }) => ({ device: node, deviceFiles: exists ? [node] : [] }));
}

const exists = (path: string): Promise<boolean> =>
	stat(path).then(
		() => true,
		() => false,
	);

const entries = async (folder: string, name: RegExp): Promise<string[]> =>
	(await readdir(folder).catch(() => []))
		.filter((entry) => name.test(entry))
		.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
		.map((entry) => join(folder, entry));

/** Returns what is wrong with a hardware encoder; `null` if it encodes a second as it must. */
async function faultOf(
	programs: Programs,
	hardware: Hardware,
	signal: AbortSignal | undefined,
): Promise<string | null> {
	const [codec] = hardware.codecs as [Codec];
	const filters = ["format=yuv420p", ...uploadFilters(hardware)];
	const args = [
		...["-nostdin", "-hide_banner", "-v", "error", ...deviceArguments(hardware)],
		...["-f", "lavfi", "-i", `testsrc2=size=640x360:rate=${trialFrames}:duration=1`],
		...["-filter_complex", `[0:v]${filters.join(",")}[v]`, "-map", "[v]"],
		...hardwareEncoder(hardware, { codec, maxBitrate: trialRate }, trialGop),
		...["-f", "framecrc", "pipe:1"],
	];
	try {
		const { stdout } = await programs.run("ffmpeg", args, {
			signal,
			maxSeconds: trialSeconds,
			...hardwareRun(hardware),
		});
		return faultOfPackets(stdout.toString("latin1"));
	} catch (error) {
		signal?.throwIfAborted();
		return error instanceof Error ? error.message : String(error);
	}
}

/** Reads ffmpeg's list of packets: stream, dts, pts, duration, size, sum, and flags unless it is a key frame. */
function faultOfPackets(list: string): string | null {
	const packets = list.split("\n").filter((line) => /^0,/.test(line));
	if (packets.length !== trialFrames) return `it made ${packets.length} of ${trialFrames} frames`;
	const parsed = packets.map((line) => ({
		fields: line.split(",").map((field) => field.trim()),
		isKey: !line.includes("F=0x"),
	}));
	if (parsed.some(({ fields: [, dts, pts] }) => dts !== pts))
		return "it shows frames in another order than it makes them";
	const keys = parsed.flatMap(({ isKey }, frame) => (isKey ? [frame] : []));
	const isRegular = keys.length === trialFrames / trialGop && keys.every((frame) => frame % trialGop === 0);
	return isRegular ? null : `its key frames are ${keys.join(", ")}, not every ${trialGop}th`;
}
