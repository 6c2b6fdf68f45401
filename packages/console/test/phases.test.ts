import { describe, expect, it } from "vitest";
import { lifeOf } from "../src/views/video/phases.ts";

const start = Date.parse("2026-11-23T10:00:00.000Z");
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const known = { deliveries: [], steps: [], encodes: [], renditions: [], now: start + 60_000 };
type State = Parameters<typeof lifeOf>[0]["timeline"]["moves"][number]["state"];
const moves = (...all: (readonly [state: State, seconds: number, worker?: string])[]) => ({
	video_id: "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11",
	first_byte_at: at(10),
	moves: all.map(([state, seconds, worker = null]) => ({ state, at: at(seconds), worker })),
	encodes: [] as Parameters<typeof lifeOf>[0]["timeline"]["encodes"],
});
/** The phases with their bars in seconds from the beginning of the axis. */
const seen = ({ from, phases }: ReturnType<typeof lifeOf>) =>
	phases.map(({ name, detail, bars }) => [
		name,
		detail,
		...bars.map((bar) => [(bar.from - from) / 1000, (bar.to - from) / 1000, bar.tone]),
	]);

describe("the phases of a video's life", () => {
	it("begin with the first byte, and say how long each took, with the parts of the work one after another", () => {
		const timeline = moves(
			["pending_upload", 0],
			["uploaded", 12],
			["queued", 12],
			["locked", 15, "rack/slot-1"],
			["encoding", 16],
			["available", 25],
		);
		const steps = [
			{ step: "fetch", seconds: 1 },
			{ step: "encode", seconds: 5 },
			{ step: "transcribe", seconds: 4 },
			{ step: "send", seconds: 9 },
		];
		const attempts = [{ attempted_at: at(26), duration_ms: 500, response_status: 200, error: null }];
		const deliveries = [{ type: "video.ready" as const, attempts }];
		const life = lifeOf({ ...known, timeline, steps, renditions: ["h264_720", "av1_720"], deliveries });
		expect(seen(life)).toEqual([
			["Upload", null, [0, 2, "good"]],
			["Wait", null, [2, 5, "idle"]],
			["Process", "by rack/slot-1", [5, 15, "good"]],
			["Fetch", null, [5, 6, "good"]],
			["Encode", "h264_720, av1_720 together", [6, 11, "good"]],
			["Transcribe", null, [6, 10, "good"]],
			["Publish", null, [11, 15, "good"]],
			["Webhook", "200", [16, 16.5, "good"]],
		]);
		expect(life.to - life.from).toBe(16_500);
	});

	it("show renditions that were encoded apart beside each other, and say which ran together", () => {
		const timeline = moves(["pending_upload", 0], ["queued", 12], ["locked", 15], ["encoding", 16], ["available", 25]);
		const steps = [
			{ step: "look", seconds: 1 },
			{ step: "encode", seconds: 7 },
		];
		const encodes = [
			{ renditions: ["h264_404"], started: 0, seconds: 2 },
			{ renditions: ["h264_404"], started: 2, seconds: 1 },
			{ renditions: ["h264_720", "av1_720"], started: 2, seconds: 9 },
		];
		const shown = (some: typeof encodes) =>
			seen(lifeOf({ ...known, timeline, steps, encodes: some, renditions: ["h264_404", "h264_720", "av1_720"] }));
		expect(shown(encodes).slice(4)).toEqual([
			["Encode", null, [6, 13, "good"]],
			["h264_404", null, [6, 8, "good"], [8, 9, "good"]],
			["h264_720, av1_720", "together", [8, 13, "good"]],
		]);
		const together = [["Encode", "h264_404, h264_720, av1_720 together", [6, 13, "good"]]];
		expect(shown(encodes.slice(2)).slice(4)).toEqual(together);
		expect(shown([]).slice(4)).toEqual(together);
	});

	it("grow until now while the video is on its way", () => {
		const life = lifeOf({ ...known, timeline: moves(["pending_upload", 0], ["uploaded", 12], ["queued", 12]) });
		expect(seen(life).at(-1)).toEqual(["Wait", null, [2, 50, "busy"]]);
	});

	it("have a row for each rendition while it is encoded, which says how far it is", () => {
		const begun = moves(["pending_upload", 0], ["queued", 12], ["locked", 13], ["encoding", 13]);
		const opening = { renditions: ["h264_404"], started_at: at(15), ended_at: at(19), progress: 8 };
		const first = { ...opening, started_at: at(19), ended_at: at(40), progress: 100 };
		const rest = { renditions: ["h264_720", "av1_720"], started_at: at(19), ended_at: null, progress: 31 };
		const shown = (...encodes: (typeof opening | typeof rest)[]) =>
			seen(lifeOf({ ...known, timeline: { ...begun, encodes } })).slice(3);
		expect(shown(opening, first, rest)).toEqual([
			["Encode", null, [5, 50, "busy"]],
			["h264_404", "100 %", [5, 9, "good"], [9, 30, "good"]],
			["h264_720, av1_720", "together, 31 %", [9, 50, "busy"]],
		]);
		expect(shown(rest)).toEqual([["Encode", "h264_720, av1_720 together, 31 %", [9, 50, "busy"]]]);
		expect(shown({ ...rest, renditions: ["h264_720"] })).toEqual([["Encode", "h264_720, 31 %", [9, 50, "busy"]]]);
		expect(shown()).toEqual([]);
	});

	it("are those of the report once it is there, whatever was told before", () => {
		const encodes = [{ renditions: ["h264_404"], started_at: at(15), ended_at: null, progress: 99 }];
		const timeline = { ...moves(["pending_upload", 0], ["queued", 12], ["locked", 13], ["available", 20]), encodes };
		const life = lifeOf({ ...known, timeline, steps: [{ step: "encode", seconds: 5 }], renditions: ["h264_404"] });
		expect(seen(life).slice(3)).toEqual([["Encode", "h264_404", [3, 8, "good"]]]);
	});

	it("have a bar for each attempt, and leave out what happened much later", () => {
		const timeline = moves(
			["pending_upload", 0],
			["queued", 12],
			["locked", 13, "rack/a"],
			["queued", 20],
			["locked", 21, "rack/b"],
			["failed", 30],
		);
		const attempts = [
			{ attempted_at: at(31), duration_ms: 100, response_status: null, error: "timeout" },
			{ attempted_at: at(3600), duration_ms: 100, response_status: 200, error: null },
		];
		const life = lifeOf({ ...known, timeline, deliveries: [{ type: "video.failed" as const, attempts }] });
		expect(seen(life).slice(2)).toEqual([
			["Process", "by rack/a, rack/b; 2 of 2 attempts did not finish", [3, 10, "bad"], [11, 20, "bad"]],
			["Webhook", "no answer, 1 later", [21, 21.1, "bad"]],
		]);
	});

	it("say in words what failed", () => {
		const detailOf = (name: string, ...all: Parameters<typeof moves>) =>
			lifeOf({ ...known, timeline: moves(...all) }).phases.find((phase) => phase.name === name)?.detail;
		const begun = [
			["pending_upload", 0],
			["queued", 12],
			["locked", 13, "a/a"],
		] as const;
		expect(detailOf("Process", ...begun, ["timeout", 20])).toBe("by a; failed");
		expect(detailOf("Process", ...begun, ["queued", 20], ["locked", 21, "a/a"], ["available", 30])).toBe(
			"by a; 1 of 2 attempts did not finish",
		);
		expect(detailOf("Upload", ["pending_upload", 0], ["expired", 20])).toBe("expired");
	});

	it("are none before the first byte", () => {
		const timeline = { ...moves(["pending_upload", 0]), first_byte_at: null };
		expect(lifeOf({ ...known, timeline }).phases).toEqual([]);
	});
});
