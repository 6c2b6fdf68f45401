// A transcriber by pocketsphinx, which knows English: prints one cue for each utterance, with the words' average
// confidence.
import { execFileSync } from "node:child_process";

const printed = execFileSync(
	"pocketsphinx_continuous",
	["-infile", process.argv[2] as string, "-time", "yes", "-logfn", "/dev/null"],
	{ encoding: "utf8" },
);
const cues: { start: number; end: number; text: string }[] = [];
const confidences: number[] = [];
let words: { word: string; start: number; end: number }[] = [];
const close = () => {
	const [first, last] = [words[0], words.at(-1)];
	if (first && last) cues.push({ start: first.start, end: last.end, text: words.map(({ word }) => word).join(" ") });
	words = [];
};
for (const line of printed.split("\n")) {
	const [, word, start, end, confidence] = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(line) ?? [];
	if (word === undefined) close();
	else if (!/^[<[]/.test(word)) {
		words.push({ word: word.replace(/\(\d+\)$/, ""), start: Number(start), end: Number(end) });
		confidences.push(Math.min(1, Number(confidence)));
	}
}
close();
const confidence =
	confidences.length > 0 ? confidences.reduce((sum, one) => sum + one) / confidences.length : undefined;
console.log(JSON.stringify({ language: "en", confidence, cues }));
