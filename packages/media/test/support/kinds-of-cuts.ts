import { type CutsOptions, sweep } from "./cuts.ts";
import { everything, lavfi } from "./sources.ts";

/** A kind of video that cuts are tried on: how long it is, and what it is made of. */
type Kind = { readonly name: string; readonly seconds: number } & CutsOptions;

const size = "160x90";
const moving = (rate: string | number, seconds: number, of = size): string =>
	`testsrc2=size=${of}:rate=${rate}:duration=${seconds}`;

/** A kind whose source is one picture and one sound, of generators. */
const plain = (name: string, seconds: number, picture: string, ...sounds: string[]): Kind => ({
	...{ name, seconds },
	source: { name: `${name.replaceAll(/\W/g, "-")}.mkv`, inputs: lavfi(picture, ...sounds) },
});

/** One input that begins later than the other. */
const late = (name: string, seconds: number, picture: number, sound: number): Kind => ({
	...{ name, seconds },
	source: {
		name: `${name.replaceAll(/\W/g, "-")}.mkv`,
		inputs: [
			...["-itsoffset", String(picture), ...lavfi(moving(25, seconds - picture))],
			...["-itsoffset", String(sound), ...lavfi(sweep(seconds - sound))],
		],
	},
});

/** Every kind of video whose cuts could differ. Each has pictures and sounds whose every moment is another one. */
export const kindsOfCuts: readonly Kind[] = [
	{ name: "plain", seconds: 15 },
	plain("film", 9, moving("24000/1001", 9), sweep(9)),
	plain("30000/1001 without sound", 9, moving("30000/1001", 9)),
	plain("sixty frames a second", 6, moving(60, 6), sweep(6)),
	{ ...plain("fifty frames a second in H.264 alone", 6, moving(50, 6), sweep(6)), renditions: ["h264_720"] },
	plain("three pictures a second", 14, moving(3, 14), sweep(14)),
	plain("26.777 pictures a second", 9, moving(26.777, 9), sweep(9)),
	plain("pictures at uneven times", 9, `${moving(30, 9)},select='gt(mod(n*n\\,11)\\,3)'`, sweep(9)),
	plain("upright", 7, moving(25, 7, "90x160"), sweep(7)),
	plain("an odd size", 7, moving(25, 7, "173x97"), sweep(7)),
	plain("one group of pictures", 1.4, moving(25, 1.4), sweep(1.4)),
	plain("a few frames more than a group", 2.16, moving(25, 2.16), sweep(2.16)),
	plain("still for seconds", 9, `${moving(0.6, 9)},fps=25`, sweep(9)),
	plain("noise", 7, `${moving(25, 7)},noise=alls=40:allf=t`, sweep(7)),
	plain("scenes that change", 9, `${moving(25, 9)},hue=h='90*floor(t/0.7)':s='mod(floor(t/0.7),3)'`, sweep(9)),
	plain("sound that ends early", 8, moving(25, 8), sweep(3.3)),
	plain("sound that goes on", 8, moving(25, 4.2), sweep(8)),
	plain("44,100 samples a second", 7, moving(25, 7), `${sweep(7)},aresample=44100`),
	late("sound that begins late", 7, 0, 1.234),
	late("a picture that begins late", 7, 0.5137, 0),
	{
		...{ name: "two sounds, one of 5.1", seconds: 6, renditions: ["h264_720"] },
		source: {
			name: "two-sounds.mkv",
			inputs: [
				...lavfi(moving(25, 6), sweep(6), `${sweep(6, 900)},pan=5.1|c0=c0|c1=c0|c2=c0`),
				...["-map", "0", "-map", "1", "-map", "2"],
			],
			args: ["-c:a", "flac", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger"],
		},
	},
	{ ...plain("AV1 beside a web.mp4", 7, moving(25, 7), sweep(7)), renditions: ["av1_720"] },
	{
		...plain("web.mp4 alone", 7, moving(25, 7), sweep(7)),
		renditions: ["h264_720"],
		outputs: { ...everything, hls: false, dash: false },
	},
];
