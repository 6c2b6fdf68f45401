import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hardware } from "../../src/index.ts";

/** The hardware that the pretended ffmpeg has. No test has a real one. */
export const pretended: Hardware = { kind: "vaapi", device: null, codecs: ["h264"], deviceFiles: [] };

/** What goes wrong in a pretended hardware encoder. */
export type Fault = {
	/** More options of the encoder (default: none). */
	readonly options?: string;
	/** What a shell does in place of running ffmpeg with its arguments (default: it runs it). */
	readonly instead?: string;
};

/**
 * Writes an ffmpeg into a new folder whose `h264_vaapi` is libx264, and returns its path. Everything else is done by
 * the real ffmpeg, so software encodes work whatever goes wrong in the hardware.
 */
export async function pretendHardware(folder: string, { options = "", instead = 'exec ffmpeg "$@"' }: Fault = {}) {
	await mkdir(folder);
	// Nobody, as whom root lets it run, must get there.
	await chmod(folder, 0o755);
	const path = join(folder, "ffmpeg");
	const script = `#!/bin/sh
left=$#
while [ $left -gt 0 ]; do
	word=$1
	shift
	left=$((left - 1))
	case $word in
		-rc_mode | -idr_interval | -init_hw_device | -filter_hw_device) shift; left=$((left - 1)); continue ;;
		h264_vaapi) used=yes; set -- "$@" libx264 -preset ultrafast -sc_threshold 0 ${options}; continue ;;
		*hwupload*) word=$(printf %s "$word" | sed 's/hwupload=extra_hw_frames=64/null/g') ;;
	esac
	set -- "$@" "$word"
done
[ "$used" ] || exec ffmpeg "$@"
${instead}
`;
	await writeFile(path, script, { mode: 0o755 });
	return path;
}
