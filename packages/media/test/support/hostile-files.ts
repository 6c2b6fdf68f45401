/** Boxes of an ISO base media file, built so that their numbers can lie. */
const box = (type: string, ...parts: (Buffer | readonly number[])[]): Buffer => {
	const body = Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : words(part))));
	return Buffer.concat([words([8 + body.length]), Buffer.from(type, "latin1"), body]);
};
/** 32-bit numbers. */
function words(values: readonly number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [n, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, n * 4);
	return bytes;
}

const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const header = (tracks: number) =>
	box("mvhd", [0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, tracks + 1]);

type Track = { width?: number; height?: number; samples?: number; sampleBytes?: number; codec?: string };

function track(id: number, { width = 16, height = 16, samples = 1, sampleBytes = 768, codec = "raw " }: Track): Buffer {
	const size = (width << 16) | (height & 0xffff);
	const entry = box(codec, [
		0,
		1,
		0,
		0,
		0,
		0,
		size,
		0x480000,
		0x480000,
		0,
		0x10000,
		...Array<number>(7).fill(0),
		0x18ffff,
	]);
	const tables = box(
		"stbl",
		box("stsd", [0, 1], entry),
		box("stts", [0, 1, samples, 1]),
		box("stsc", [0, 1, 1, samples, 1]),
		box("stsz", [0, sampleBytes, samples]),
		box("stco", [0, 1, 28]),
	);
	const data = box("dinf", box("dref", [0, 1], box("url ", [1])));
	const media = box(
		"mdia",
		box("mdhd", [0, 0, 0, 1000, 1000, 0x55c40000]),
		box("hdlr", [0, 0], Buffer.from("vide"), [0, 0, 0, 0]),
		box("minf", box("vmhd", [1, 0, 0]), data, tables),
	);
	return box("trak", box("tkhd", [3, 0, 0, id, 0, 1000, 0, 0, 0, 0, ...matrix, width << 16, height << 16]), media);
}

/** An MP4 with these tracks over a few bytes of data. */
export const lyingMp4 = (...tracks: Track[]): Buffer =>
	Buffer.concat([
		box("ftyp", Buffer.from("isom\0\0\x02\0isom")),
		box("mdat", Buffer.alloc(4096)),
		box("moov", header(tracks.length), Buffer.concat(tracks.map((each, n) => track(n + 1, each)))),
	]);

/** Boxes in boxes in boxes. */
export function nestedMp4(depth: number): Buffer {
	let inner: Buffer = Buffer.alloc(0);
	for (let n = 0; n < depth; n++) inner = box("trak", inner);
	return Buffer.concat([box("ftyp", Buffer.from("isom\0\0\x02\0isom")), box("moov", header(1), inner)]);
}

const segments = (uris: string[]) => uris.map((uri) => `#EXTINF:1,\n${uri}\n`).join("");

/** Files that ffmpeg, left to guess, follows to others. */
export const pointers = (uris: string[]): Record<string, string> => ({
	"a playlist": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments(uris)}#EXT-X-ENDLIST\n`,
	"a master playlist": `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${uris.join("\n#EXT-X-STREAM-INF:BANDWIDTH=1\n")}\n`,
	"an ffconcat script": `ffconcat version 1.0\n${uris.map((uri) => `file '${uri}'\n`).join("")}`,
	"a manifest": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>${uris
		.map(
			(uri, n) =>
				`<AdaptationSet contentType="video" mimeType="video/mp4"><Representation id="${n}" bandwidth="1" codecs="avc1.42000a" width="16" height="16"><BaseURL>${uri}</BaseURL><SegmentBase/></Representation></AdaptationSet>`,
		)
		.join("")}</Period></MPD>`,
	"a playlist behind a header of MP4": `\0\0\0\x18ftypisom\0\0\x02\0isomiso2\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments(uris)}#EXT-X-ENDLIST\n`,
	"a playlist behind a header of Ogg": `OggS\0\x02${"\0".repeat(20)}\x01\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments(uris)}#EXT-X-ENDLIST\n`,
	"a playlist behind a header of GIF": `GIF89a\x10\0\x10\0\0\0\0\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments(uris)}#EXT-X-ENDLIST\n`,
	"a session description":
		"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
});

/** Numbers from 0 to 1 that are the same each time. */
export function repeatable(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
