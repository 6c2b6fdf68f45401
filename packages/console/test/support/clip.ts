import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const chapter = (start: number, end: number, title: string) =>
	`[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;

/**
 * Makes a clip of some seconds with a picture at an odd rate, with silence, with English captions and with two chapters,
 * "Begin" and, after a second, "Go on". Returns its path.
 */
export async function makeClip(directory: string, seconds: number): Promise<string> {
	const [path, captions, chapters] = ["clip.mp4", "captions.srt", "chapters.txt"].map((name) => join(directory, name));
	if (!path || !captions || !chapters) throw new Error("three names make three paths");
	await writeFile(captions, "1\n00:00:00,200 --> 00:00:02,000\nWhat is said first.\n");
	await writeFile(chapters, `;FFMETADATA1\n${chapter(0, 1, "Begin")}${chapter(1, seconds, "Go on")}`);
	await promisify(execFile)("ffmpeg", [
		...["-loglevel", "error", "-y", "-f", "lavfi", "-i", `testsrc=size=640x360:rate=26:duration=${seconds}`],
		...["-f", "lavfi", "-t", `${seconds}`, "-i", "anullsrc=r=48000", "-i", captions, "-i", chapters],
		...["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3"],
		...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-c:s", "mov_text"],
		...["-metadata:s:s:0", "language=eng", path],
	]);
	return path;
}
