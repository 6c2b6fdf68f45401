import { buffer } from "node:stream/consumers";
import yazl from "yazl";

/** One file for each operation of the delivery plane, and a moderation frame: what the world's workers send. */
const delivered: Readonly<Record<string, string>> = {
	"hls/master.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n../web.mp4\n#EXT-X-ENDLIST\n",
	"hls/h264_720.m3u8": "#EXTM3U\n",
	"dash/manifest.mpd":
		'<MPD mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation><BaseURL>../media/h264_720.mp4</BaseURL><SegmentBase indexRange="4-6"><Initialization range="0-3"/></SegmentBase></Representation></AdaptationSet></Period></MPD>',
	"media/h264_720.mp4": "0123456789",
	"web.mp4": "0123456789",
	"og.jpg": "\u00ff\u00d8\u00ff\u00e0jpg",
	"transcript.vtt": "WEBVTT\n",
	"storyboard.vtt": "WEBVTT\n",
	"storyboard/0001.jpg": "\u00ff\u00d8\u00ff\u00e0jpg",
	"frames/00001.jpg": "\u00ff\u00d8\u00ff\u00e0jpg",
};
export const deliveredPaths: readonly string[] = Object.keys(delivered);

type Entry = { readonly name: string; readonly content: string | Uint8Array; readonly mode?: number };

async function zipOf(entries: readonly Entry[]): Promise<Buffer> {
	const zip = new yazl.ZipFile();
	for (const { name, content, mode = 0o100644 } of entries) {
		zip.addBuffer(typeof content === "string" ? Buffer.from(content, "latin1") : Buffer.from(content), name, {
			mode,
			mtime: new Date("2026-01-31"),
			compress: content.length > 1000,
		});
	}
	zip.end();
	return buffer(zip.outputStream);
}

/** Replaces a name in the archive with another one of the same length, which no honest writer would write. */
const forged = (zip: Buffer, from: string, to: string): Buffer =>
	Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");

/** Makes the bodies that cases name: archives as a worker sends them, and as it should not. */
export async function makeFixtures(): Promise<ReadonlyMap<string, Buffer>> {
	const whole = Object.entries(delivered).map(([name, content]) => ({ name, content }));
	const one = await zipOf([{ name: "aa/bb.mp4", content: "x" }]);
	const twice = await zipOf([
		{ name: "web.mp4", content: "x" },
		{ name: "wex.mp4", content: "y" },
	]);
	const wholeZip = await zipOf(whole);
	return new Map([
		["whole.zip", wholeZip],
		["part.zip", await zipOf(whole.slice(0, 2))],
		["mezzanine.zip", await zipOf([{ name: "mezzanine.mp4", content: "0123ftyp89" }])],
		["traversal.zip", forged(one, "aa/bb.mp4", "../bb.mp4")],
		["absolute.zip", forged(one, "aa/bb.mp4", "/a/bb.mp4")],
		["twice.zip", forged(twice, "wex.mp4", "web.mp4")],
		["link.zip", await zipOf([{ name: "web.mp4", content: "/etc/passwd", mode: 0o120777 }])],
		["bomb.zip", await zipOf([{ name: "web.mp4", content: new Uint8Array(20 * 2 ** 20) }])],
		[
			"many.zip",
			await zipOf(Array.from({ length: 2000 }, (_, index) => ({ name: `storyboard/${index}.jpg`, content: "x" }))),
		],
		["cut.zip", wholeZip.subarray(0, wholeZip.length >> 1)],
		["none.zip", Buffer.from("PK\u0005\u0006no archive")],
	]);
}
