import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { openTranscriber, type Transcriber, transcribeFinished } from "@reelmill/media";
import { ffmpeg, load, measure } from "./media/measure.ts";
import { wordErrors } from "./word-errors.ts";

/** A recording, and what is said in it: nothing, if it is music or noise. */
type Recording = { readonly name: string; readonly files: readonly string[]; readonly said: string };

const librivox = "/usr/share/pocketsphinx/test/data/librivox";
const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };

/** Five sentences of a novel, read by a volunteer, of Debian's pocketsphinx-testdata. */
async function readNovel(): Promise<Recording> {
	const lines = (await readFile(join(librivox, "transcription"), "utf8")).trim().split("\n");
	const spoken = lines.map((line) => line.replace("<s> ", "").split(/<\/s> \(|\)/));
	return {
		name: "librivox",
		files: spoken.map(([, name]) => join(librivox, `${name}.wav`)),
		said: spoken.map(([text]) => text).join(" "),
	};
}

/** Reads a folder of recordings NAME.wav, each with what is said in NAME.txt. */
async function readFolder(folder: string): Promise<Recording[]> {
	const names = (await readdir(folder)).filter((name) => name.endsWith(".wav")).sort();
	return Promise.all(
		names.map(async (file) => {
			const name = file.slice(0, -".wav".length);
			return { name, files: [join(folder, file)], said: await readFile(join(folder, `${name}.txt`), "utf8") };
		}),
	);
}

const secondsOf = (time = ""): number => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/** Returns the cues of a WebVTT file as we write it. */
const cuesOf = (file: string) =>
	file
		.split("\n\n")
		.slice(1)
		.map((block) => {
			const [times = "", ...lines] = block.trimEnd().split("\n");
			const [start, end] = times.split(" --> ");
			return { seconds: secondsOf(end) - secondsOf(start), lines };
		});

async function transcribe(transcriber: Transcriber, { name, files, said }: Recording, folder: string): Promise<void> {
	const [source, target] = [join(folder, "source.mp4"), join(folder, "transcript.vtt")];
	const graph = `${files.map((_, n) => `[${n}:a]`).join("")}concat=n=${files.length}:v=0:a=1`;
	await ffmpeg(...files.flatMap((file) => ["-i", file]), "-filter_complex", graph, "-c:a", "aac", source);
	const query = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", source];
	const durationSeconds = Number((await promisify(execFile)("ffprobe", query)).stdout);
	await rm(target, { force: true });
	const made: { language?: string | null; status?: string } = {};
	const taken = await measure(async () =>
		Object.assign(made, await transcribeFinished({ source, directory: folder, durationSeconds, transcriber, tools })),
	);
	const cues = made.status === "available" ? cuesOf(await readFile(target, "utf8")) : [];
	const { errors, words } = wordErrors(said, cues.flatMap(({ lines }) => lines).join(" "));
	const lengths = cues.map(({ seconds }) => seconds);
	const rate = words === 0 ? `${errors} words made up` : `word error rate ${((100 * errors) / words).toFixed(1)} %`;
	console.log(
		`transcripts  ${name}: ${made.status}, language ${made.language}, ${rate} (${errors} of ${words});`,
		`${(durationSeconds / taken.processor).toFixed(2)} s of sound for a second of CPU,`,
		`${(taken.memory / 1024 ** 2).toFixed(0)} MiB at most; ${cues.length} cues`,
		cues.length === 0 ? "" : `of ${Math.min(...lengths).toFixed(1)} to ${Math.max(...lengths).toFixed(1)} s,`,
		`the longest line ${Math.max(0, ...cues.flatMap(({ lines }) => lines.map(({ length }) => length)))}; ${load()}`,
	);
	if (process.env.REELMILL_BENCH_CUES !== undefined && cues.length > 0) console.log(await readFile(target, "utf8"));
}

/**
 * Measures the transcripts of a Whisper model (`REELMILL_WHISPER_MODEL`) or a program (`REELMILL_TRANSCRIBER`): word
 * error rate, speed, memory, and the cues as they are served. The recordings are five sentences of LibriVox, and those
 * of the folder that `REELMILL_BENCH_SPEECH` names: NAME.wav with what is said in NAME.txt. `REELMILL_BENCH_CUES=1`
 * prints the cues, too. Without a model or a program it says so, and measures nothing.
 */
export async function transcripts(rounds = 1): Promise<void> {
	const { REELMILL_WHISPER_MODEL: model, REELMILL_TRANSCRIBER: program, REELMILL_BENCH_SPEECH: speech } = process.env;
	const ofMedia = createRequire(new URL("../packages/media/package.json", import.meta.url));
	const binding = pathToFileURL(ofMedia.resolve("@fugood/whisper.node")).href;
	const transcriber = await openTranscriber({ program, model, binding });
	if (transcriber === null) {
		console.log(
			"transcripts  nothing is measured: REELMILL_WHISPER_MODEL or REELMILL_TRANSCRIBER names what transcribes",
		);
		return;
	}
	await using folder = await mkdtempDisposable(join(tmpdir(), "reelmill-bench-"));
	const recordings = [await readNovel(), ...(speech === undefined ? [] : await readFolder(speech))];
	for (let round = 1; round <= rounds; round += 1)
		for (const recording of recordings) await transcribe(transcriber, recording, folder.path);
}
