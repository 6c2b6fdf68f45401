declare module "webvtt-parser" {
	type Cue = { id: string; startTime: number; endTime: number; text: string };
	export class WebVTTParser {
		constructor(entities?: object);
		parse(text: string, mode?: "subtitles" | "captions"): { cues: Cue[]; errors: { message: string; line: number }[] };
	}
}
