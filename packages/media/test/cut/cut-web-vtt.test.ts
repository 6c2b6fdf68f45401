import { expect, it } from "vitest";
import { cutWebVtt } from "../../src/cut/cut-web-vtt.ts";

const text = `WEBVTT

NOTE for the editor alone

STYLE
::cue { color: white }

1
00:00:01.000 --> 00:00:04.000 line:0 align:start
Cut at its <00:00:03.500>beginning

00:59.000 --> 01:01.000
- Cut at
- its end

01:00:00.000 --> 01:00:01.000
Left out
`;

it("moves the cues of a stretch along, with their settings and styles, and leaves all others and comments out", () => {
	expect(cutWebVtt(text.replaceAll("\n", "\r\n"), { startSeconds: 3, seconds: 57 })).toBe(`WEBVTT

STYLE
::cue { color: white }

1
00:00:00.000 --> 00:00:01.000 line:0 align:start
Cut at its <00:00:00.500>beginning

00:00:56.000 --> 00:00:57.000
- Cut at
- its end
`);
});

it("makes no file of a stretch without cues", () => {
	expect(cutWebVtt(text, { startSeconds: 100, seconds: 5 })).toBeNull();
});
