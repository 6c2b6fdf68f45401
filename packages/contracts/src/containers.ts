/**
 * What the first bytes of a file are: hexadecimal behind the place where they stand, as `8:41564920`. With ` + ` all of
 * them are needed; of several texts one is enough.
 */
type Marks = readonly string[];

/**
 * The containers that a source may have, by ffmpeg's names of their demuxers, and the first bytes of each. Workers,
 * SDKs and the command line read this table. This file imports nothing.
 */
export const containers = {
	mov: ["4:66747970", "4:6d6f6f76", "4:6d646174", "4:77696465", "4:66726565", "4:736b6970", "4:706e6f74"],
	matroska: ["0:1a45dfa3"],
	avi: ["0:52494646 + 8:41564920"],
	flv: ["0:464c5601"],
	ogg: ["0:4f67675300"],
	gif: ["0:474946383761", "0:474946383961"],
	asf: ["0:3026b2758e66cf11a6d900aa0062ce6c"],
	mxf: ["0:060e2b34020501010d0102010102"],
	// A header block of 525 or of 625 lines, and the block of subcode behind it.
	dv: ["0:1f07003f + 80:3f0700", "0:1f0700bf + 80:3f0700"],
	mpeg: ["0:000001ba"],
	// Packets of 188 bytes, of 192 with a time in front, and of 204 with a checksum behind.
	mpegts: ["0:47 + 188:47 + 376:47", "4:47 + 196:47 + 388:47", "0:47 + 204:47 + 408:47"],
} as const satisfies Record<string, Marks>;

/** The name of a container that a source may have. */
export type Container = keyof typeof containers;

/** The containers that a source may have, for people. */
export const takenContainers =
	"MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, MPEG-PS, AVI, FLV, Ogg, WMV (ASF), MXF, raw DV and GIF";

/**
 * The type of a video by the ending of its file's name, in lower case. A `content_type` is a video/* MIME type, so GIF
 * and MXF have a name there as well.
 */
export const contentTypes: Readonly<Record<string, string>> = {
	mp4: "video/mp4",
	m4v: "video/mp4",
	mov: "video/quicktime",
	webm: "video/webm",
	mkv: "video/x-matroska",
	avi: "video/x-msvideo",
	mpg: "video/mpeg",
	mpeg: "video/mpeg",
	ts: "video/mp2t",
	m2ts: "video/mp2t",
	mts: "video/mp2t",
	flv: "video/x-flv",
	"3gp": "video/3gpp",
	"3g2": "video/3gpp2",
	ogv: "video/ogg",
	wmv: "video/x-ms-wmv",
	asf: "video/x-ms-asf",
	mxf: "video/mxf",
	dv: "video/x-dv",
	gif: "video/gif",
};

/** What is often taken for a video and is none, or none that can be taken. No mark is also one of a container. */
const otherFiles: Readonly<Record<string, Marks>> = {
	RealMedia: ["0:2e524d46"],
	"a Flash film": ["0:465753", "0:435753"],
	"a television recording of Windows (WTV)": ["0:b7d800203749da11a64e0007e95ead8d"],
	"a stream of pictures without a container": ["0:000001b3", "0:0000000167", "0:444b4946", "0:595556344d50454732"],
	"a playlist": ["0:234558544d3355", "0:6666636f6e636174", "0:3c415358", "0:3c617378"],
	"a document": ["0:25504446", "0:3c3f786d6c", "0:3c21646f6374797065", "0:3c21444f4354595045", "0:3c68746d6c"],
	"an archive": ["0:504b0304", "0:1f8b08", "0:377abcaf271c", "0:526172211a07"],
	"a picture": ["0:ffd8ff", "0:89504e470d0a1a0a", "0:52494646 + 8:57454250", "0:49492a00", "0:4d4d002a"],
	"sound alone": ["0:494433", "0:664c6143", "0:52494646 + 8:57415645", "0:2321414d52", "0:4d546864"],
};

/** How many bytes of a file's beginning {@link containerOf} and {@link otherFileOf} need, at most. */
export const firstBytes = 512;

function fits(mark: string, bytes: Uint8Array): boolean {
	return mark.split(" + ").every((part) => {
		const [at = "", hex = ""] = part.split(":");
		const wanted = hex.match(/../g) ?? [];
		return wanted.every((byte, n) => bytes[Number(at) + n] === Number.parseInt(byte, 16));
	});
}

const find = (table: Readonly<Record<string, Marks>>, bytes: Uint8Array): string | null =>
	Object.keys(table).find((name) => table[name]?.some((mark) => fits(mark, bytes))) ?? null;

/**
 * Returns the container that a file's first bytes show; `null` if they show none that can be taken. Playlists and
 * manifests never match.
 * @example
 * ```ts
 * import { containerOf } from "@reelmill/contracts/containers";
 *
 * const bytes = new TextEncoder().encode("GIF89a...");
 * console.log(containerOf(bytes)); // => gif
 * ```
 */
export const containerOf = (bytes: Uint8Array): Container | null => find(containers, bytes) as Container | null;

/**
 * Returns what a file is that can't be taken, for people: `a picture`, `RealMedia`. Returns `null` for a container that
 * can be taken, and for bytes that nobody knows: a later version of the service may take them.
 * @example
 * ```ts
 * import { otherFileOf } from "@reelmill/contracts/containers";
 *
 * const bytes = new TextEncoder().encode("%PDF-1.7");
 * console.log(otherFileOf(bytes)); // => a document
 * ```
 */
export const otherFileOf = (bytes: Uint8Array): string | null =>
	containerOf(bytes) === null ? find(otherFiles, bytes) : null;
