import { describe, expect, it } from "vitest";
import { readCues } from "../../src/captions/read-cues.ts";

const read = (text: string, duration: number | null = 60) => readCues(text, duration);
const cues = async (text: string) => (await read(text)).split("\n").slice(2).join("\n");
const vtt = (...blocks: string[]) => `WEBVTT\n\n${blocks.join("\n\n")}\n`;
const cue = (text: string, times = "00:01.000 --> 00:02.000") => `${times}\n${text}`;

describe("captions that are sent", () => {
	it("may be WebVTT, of which names, comments, styles and regions are left out", async () => {
		const text = vtt(
			"STYLE\n::cue { background: url(https://evil.example) }",
			"REGION\nid:fred",
			"NOTE made by hand",
			"intro\n00:01.000 --> 00:02.500 line:0 position:20%,line-left align:start region:fred onclick:1",
			cue("<v Ada>Good <i>morning</i>", "00:03.000 --> 00:04.000"),
		);
		expect(await cues(text.replace("region:fred onclick:1", "region:fred onclick:1\nHello\nWorld"))).toBe(
			"00:00:01.000 --> 00:00:02.500 line:0 position:20%,line-left align:start\nHello\nWorld\n\n00:00:03.000 --> 00:00:04.000\n<v Ada>Good <i>morning</i>\n",
		);
	});

	it("may be SubRip, whose colours and places are left out", async () => {
		const text =
			'1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}<font color="red">Hello</font> <B>World</B>\r\n\r\n2\r\n00:00:03,5 --> 00:01:40,000 X1:1\r\nA & B <3\r\n';
		expect(await read(text)).toBe(
			"WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello <b>World</b>\n\n00:00:03.500 --> 00:01:00.000\nA &amp; B &lt;3\n",
		);
	});

	it("are put in order, and lose cues without a word", async () => {
		const text = vtt(cue("two", "00:05.000 --> 00:06.000"), cue("one"), cue("<i> </i>", "00:03.000 --> 00:04.000"));
		expect(await cues(text)).toBe("00:00:01.000 --> 00:00:02.000\none\n\n00:00:05.000 --> 00:00:06.000\ntwo\n");
	});

	it.each([
		["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
		["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
		['<b onclick="x">bold</b>', "<b>bold</b>"],
		["<c.yellow.bg_blue>loud</c>", "<c.yellow.bg_blue>loud</c>"],
		["<c.a{b}>x", "&lt;c.a{b}&gt;x"],
		['<v "><script>">Ada', '<v ">&lt;script&gt;"&gt;Ada'],
		["<v A&amp;B>x", "<v A&amp;B>x"],
		["<lang de>Hallo</lang> <00:00:01.500>now", "<lang de>Hallo</lang> <00:00:01.500>now"],
		["a &#x202e;b &#8238;c \u202ed \u0000e\u0007", "a b c d e"],
		["&lt;b&gt; &eacute; &nbsp;x &#65; &#x110000;", "&lt;b&gt; &amp;eacute; x A &amp;#x110000;"],
		["سلام\u200cدنیا 👩\u200d🚀 \u200f!", "سلام\u200cدنیا 👩\u200d🚀 \u200f!"],
		["a --> b", "a --&gt; b"],
		["< b > <", "&lt; b &gt; &lt;"],
	])("have %s as text, or as a tag that WebVTT knows", async (said, written) => {
		expect(await cues(vtt(cue(said)))).toBe(`00:00:01.000 --> 00:00:02.000\n${written}\n`);
	});

	it.each([
		["", "There is no cue with a word in it."],
		["WEBVTT\n", "There is no cue with a word in it."],
		[vtt(cue("a"), "hello"), "Line 6, cue 2: there is text outside of a cue"],
		[vtt(cue("a"), cue("b", "00:02.000 --> 00:03")), "Line 6, cue 2: the times can't be read"],
		[vtt(cue("a"), `name\n${cue("b", "00:04.000 --> 00:03.000")}`), "Line 7, cue 2: the cue ends before it begins"],
		[vtt(cue("a", "00:04.000 --> 00:04.000")), "Line 3, cue 1: the cue ends at the moment at which it begins"],
		[vtt(cue("a", "00:61.000 --> 00:62.000")), "Line 3, cue 1: minutes and seconds go to 59"],
		[vtt(cue("a", "01:00.000 --> 01:02.000")), "Line 3, cue 1: the cue begins after the video, which lasts 60.000 s"],
		[vtt(`${cue("a")}\n${cue("b")}`), "Line 5, cue 1: times stand within a cue"],
		[vtt(cue("x".repeat(1001))), "Line 3, cue 1: the cue has more than 1000 characters"],
		[vtt(cue("x".repeat(2001))), "Line 4, cue 1: the line has more than 2000 characters"],
		["1\n00:00:01,000 -> 00:00:02,000\na\n", "Line 1, cue 1: there is text outside of a cue"],
		[
			"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\n00:01.000 --> 00:02.000\na",
			"Line 2: times that an HLS stream moves",
		],
		[vtt(...Array<string>(20_001).fill(cue("a"))), "Line 60003, cue 20001: there are more than 20000 cues"],
		[vtt(...Array<string>(3000).fill(cue("&".repeat(700)))), "It is more than 2000000 bytes of WebVTT."],
	])("are refused with line and cue (%#)", async (text, message) => {
		await expect(read(text)).rejects.toMatchObject({
			code: "validation_error",
			message: expect.stringContaining(message),
		});
	});
});
