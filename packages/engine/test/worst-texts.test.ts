import type { StorageProfile } from "@reelmill/contracts";
import { createFakeClock } from "@reelmill/engine/testing";
import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { readCues } from "../src/captions/read-cues.ts";
import { createCursors } from "../src/cursors/index.ts";
import { createPathCheck } from "../src/jobs/outputs/outputs.ts";
import { readManifest } from "../src/playlists/read-dash.ts";
import { longestPlaylist, readMasterPlaylist, readMediaPlaylist } from "../src/playlists/read-hls.ts";
import { checkId, checkKey, checkPrefix } from "../src/ports/storage-names.ts";
import { bearer, createTokenFamily } from "../src/secrets/index.ts";
import { publicAddress } from "../src/storage/index.ts";
import { readChoice } from "../src/storage/profiles/choice.ts";
import { trimSlashes } from "../src/storage/profiles/profile.ts";
import { readSums } from "../src/sums/index.ts";
import { textOfWebVtt } from "../src/transcripts/webvtt-text.ts";

const key = new Uint8Array(32).fill(7);
const tokens = createTokenFamily("service-test", [key], createFakeClock());
const cursors = createCursors([key]);
const listing = { route: "listVideos", scope: { domainId: "d", sessionId: null }, filter: null } as const;
const profile: StorageProfile = {
	backend: "s3_tenant",
	bucket: "b",
	region: "r",
	access_key_id: "id",
	secret_access_key: "secret",
};
const choiceWith = (field: keyof StorageProfile) => (text: string) =>
	readChoice({ ...profile, [field]: text }, [], true);
const cue = "WEBVTT\n\n00:00.000 --> 00:01.000\n";

/** As long as a playlist may be, and a manifest, which are refused unread beyond. */
const playlistOf = (piece: string): string =>
	`#EXTM3U\n${piece.repeat(Math.floor((longestPlaylist - 8) / piece.length))}`;
const manifestOf = (piece: string): string => `<MPD>${piece.repeat(Math.floor(65_000 / piece.length))}`;

provesQuick([
	["a playlist", "a megabyte", megabyteOf("#EXTINF:1,\na\n"), readMediaPlaylist],
	["a playlist", "segments", playlistOf("#EXTINF:1,\na\n"), readMediaPlaylist],
	["a playlist", "blank lines", playlistOf("\n"), readMediaPlaylist],
	["a playlist", "comments", playlistOf("#\n"), readMediaPlaylist],
	["a playlist", "digits", playlistOf("1").replace("1", "#EXTINF:1"), readMediaPlaylist],
	["a master playlist", "attributes", `#EXTM3U\n#EXT-X-MEDIA:${playlistOf("A=B,").slice(40)}`, readMasterPlaylist],
	[
		"a master playlist",
		"beginnings of quotes",
		`#EXTM3U\n#EXT-X-MEDIA:${playlistOf('A="').slice(40)}`,
		readMasterPlaylist,
	],
	["a master playlist", "renditions", playlistOf("#EXT-X-STREAM-INF:RESOLUTION=1x1\na\n"), readMasterPlaylist],
	["a manifest", "a megabyte", megabyteOf("<MPD>"), readManifest],
	["a manifest", "elements", manifestOf("<Period/>"), readManifest],
	["a manifest", "beginnings of tags", manifestOf("<"), readManifest],
	["a manifest", "attributes", `<MPD ${manifestOf('a="" ').slice(5)}>`, readManifest],
	["a manifest", "beginnings of attributes", `<MPD ${manifestOf('a="').slice(5)}>`, readManifest],
	["a manifest", "blanks", `<MPD${manifestOf(" ").slice(5)}>`, readManifest],
	["a manifest", "texts", manifestOf("a<Period/>"), readManifest],
	["a file of sums", "lines", megabyteOf(`${"a".repeat(64)}  web.mp4\n`), readSums],
	["a file of sums", "letters", megabyteOf("a"), readSums],
	["a credential", "blanks", `Bearer a${megabyteOf(" ")}b`, bearer],
	["a credential", "letters", `Bearer ${megabyteOf("a")}!`, bearer],
	["a token", "dots", megabyteOf("."), (text) => tokens.verify(text)],
	["a token", "one that is long", `${megabyteOf("a")}.a.a`, (text) => tokens.verify(text)],
	["a cursor", "letters", megabyteOf("a"), (text) => cursors.verify(listing, text)],
	["a transcript", "beginnings of tags", cue + megabyteOf("<"), textOfWebVtt],
	["a transcript", "tags", cue + megabyteOf("<>"), textOfWebVtt],
	["a transcript", "entities", cue + megabyteOf("&a;"), textOfWebVtt],
	["a transcript", "beginnings of entities", cue + megabyteOf("&"), textOfWebVtt],
	["a transcript", "lines of a cue", cue + megabyteOf("a\n"), textOfWebVtt],
	["a transcript", "lines of tags", cue + megabyteOf("<\n"), textOfWebVtt],
	["a transcript", "blank lines", megabyteOf("\n"), textOfWebVtt],
	["a transcript", "returns", megabyteOf("\r"), textOfWebVtt],
	["a transcript", "cues", megabyteOf("-->\na\n\n"), textOfWebVtt],
	["a transcript", "one line", cue + megabyteOf("a"), textOfWebVtt],
	["a transcript", "arrows", megabyteOf("--"), textOfWebVtt],
	...(
		[
			["blank lines", megabyteOf("\n")],
			["lines of a cue", cue + megabyteOf("a\n")],
			["cues", `WEBVTT\n\n${megabyteOf("00:00.000 --> 00:01.000\na\n\n")}`],
			["cues of SubRip", megabyteOf("1\n00:00:00,000 --> 00:00:01,000\na\n\n")],
			["tags", `WEBVTT\n\n${megabyteOf(`00:00.000 --> 00:01.000\n${"<b".repeat(400)}\n\n`)}`],
			["entities", `WEBVTT\n\n${megabyteOf(`00:00.000 --> 00:01.000\n${"&#".repeat(400)}\n\n`)}`],
			["settings", `WEBVTT\n\n${megabyteOf(`00:00.000 --> 00:01.000 ${"line: ".repeat(300)}\na\n\n`)}`],
			["blanks", megabyteOf(" ")],
			["arrows", megabyteOf("-->")],
		] as const
	).map(
		([what, text]) => ["captions", what, text, (sent: string) => readCues(sent, null).catch(() => undefined)] as const,
	),
	["a path of outputs", "folders", megabyteOf("a/"), createPathCheck()],
	["a path of outputs", "dots", megabyteOf("."), createPathCheck()],
	["a key", "parts", megabyteOf("a/"), checkKey],
	["a key", "dots", megabyteOf("."), checkKey],
	["a key", "one part", `${megabyteOf("a")}!`, checkKey],
	["a prefix", "parts", `${megabyteOf("a/")}!`, checkPrefix],
	["an upload's id", "digits", megabyteOf("a"), checkId],
	["a key prefix", "slashes", `a${megabyteOf("/")}b`, trimSlashes],
	["a key prefix", "slashes at the end", `a${megabyteOf("/")}`, trimSlashes],
	[
		"a public address",
		"slashes",
		`https://a${megabyteOf("/")}b`,
		(text) => publicAddress({ location_id: null, public_base_url: text, key_prefix: null }, []),
	],
	["a profile's bucket", "letters", `${megabyteOf("a")}!`, choiceWith("bucket")],
	["a profile's region", "letters", `${megabyteOf("a")}!`, choiceWith("region")],
	["a profile's region", "hyphens", `a${megabyteOf("-")}`, choiceWith("region")],
	["a profile's prefix", "parts", `${megabyteOf("a/")}!`, choiceWith("key_prefix")],
	["a profile's prefix", "slashes", `a${megabyteOf("/")}b`, choiceWith("key_prefix")],
	["a profile's endpoint", "slashes", `https://a.example${megabyteOf("/")}b`, choiceWith("endpoint")],
	["a profile's endpoint", "names", `https://${megabyteOf("a.")}`, choiceWith("endpoint")],
	["a profile's public address", "slashes", `https://a.example${megabyteOf("/")}b`, choiceWith("public_base_url")],
]);
