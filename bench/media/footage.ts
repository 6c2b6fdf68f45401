import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, rename, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const city = fileURLToPath(new URL("../../examples/demo/assets/clip.mp4", import.meta.url));
const kept = join(tmpdir(), "reelmill-bench-footage-1080p30.mp4");

/** Cut to its first frames, at 30 per second and 1080p. */
const shot = (input: number, frames: number, more = "") =>
	`[${input}:v]${more}fps=30,scale=1920:1080:flags=lanczos,setsar=1,format=yuv420p,trim=end_frame=${frames},setpts=PTS-STARTPTS`;
const sound = (input: number, seconds: number) =>
	`[${input}:a]aformat=sample_rates=48000:channel_layouts=stereo,apad=whole_dur=${seconds},atrim=end=${seconds}`;

/**
 * Returns the path of 20.5 s of real footage at 1080p30. It is cut together once and kept in the system's folder for
 * temporary files. It holds a phone's 1080p (4.8 s: once forwards, once backwards, once more), a recorded screen with
 * its speaker, 720p enlarged (8.1 s), and a camera's 404p enlarged (7.6 s), with the sound of the latter two. A job
 * takes it for a screen. REELMILL_BENCH_CLIP names another file instead. The first two clips are in Debian's package
 * forensics-samples-files (CC-BY-SA-4.0); the camera's clip is the bundled one.
 */
export async function footage(): Promise<string> {
	const named = process.env.REELMILL_BENCH_CLIP;
	if (named !== undefined) return named;
	if (await stat(kept).catch(() => null)) return kept;
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-footage-"));
	await execute("apt-get", ["download", "forensics-samples-files"], { cwd: folder.path }).catch((cause: unknown) => {
		throw new Error(
			"Debian's package forensics-samples-files can't be had here; name a clip of 20 s or more in REELMILL_BENCH_CLIP.",
			{ cause },
		);
	});
	for (const name of await readdir(folder.path)) await execute("dpkg", ["-x", join(folder.path, name), folder.path]);
	const samples = join(folder.path, "usr/share/forensics-samples/original-files");
	const graph = [
		`${shot(0, 48)},split=3[a][b][c];[b]reverse[back]`,
		`${shot(1, 243)}[room]`,
		`${shot(2, 228, "crop=718:404,")}[city]`,
		"[a][room][back][city][c]concat=n=5[v]",
		`${sound(1, 8.1)}[voice];${sound(2, 7.6)}[reading];anullsrc=r=48000:cl=stereo,atrim=end=4.8[rest];[voice][reading][rest]concat=n=3:v=0:a=1[s]`,
	];
	const inputs = [
		join(samples, "movie1/VID_20191220_170832.mp4"),
		join(samples, "movie2/movie-hello.mp4"),
		city,
	].flatMap((path) => ["-i", path]);
	const encoders = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "17", "-g", "60", "-c:a", "aac", "-b:a", "128k"];
	const made = join(folder.path, "made.mp4");
	await execute("ffmpeg", [
		"-nostdin",
		"-v",
		"error",
		...inputs,
		"-filter_complex",
		graph.join(";"),
		"-map",
		"[v]",
		"-map",
		"[s]",
		...encoders,
		made,
	]);
	await rename(made, kept);
	return kept;
}
