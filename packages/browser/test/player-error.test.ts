import { expect, it } from "vitest";
import { errorFromBody, PlayerError, type PlayerErrorCode } from "../src/player-error.ts";
import type { PlayerOptions } from "../src/player-options.ts";
import { chooseSource } from "../src/source-kind.ts";

it.each<[PlayerErrorCode, string, string]>([
	["network_error", "offline", "The connection is lost. The video goes on when it is back."],
	["playback_key_required", "locked", "You may not watch this video."],
	["key_unavailable", "locked", "You may not watch this video."],
	["forbidden", "locked", "You may not watch this video."],
	["playback_key_invalid", "revoked", "You may not watch this video any more."],
	["not_found", "deleted", "This video is gone."],
	["video_not_found", "deleted", "This video is gone."],
	["rate_limited", "busy", "The service is busy. The video goes on by itself."],
	["media_error", "undecodable", "This browser could not play this video."],
	["unsupported", "unsupported", "This browser can't play this video."],
	["not_playable", "not_ready", "This video is not ready yet."],
])("says of %s that it is %s, in plain words", (code, reason, sentence) => {
	expect(new PlayerError(code, "For developers.")).toMatchObject({ code, reason, sentence });
});

it.each([
	["encoding", "not_ready"],
	[undefined, "not_ready"],
	["from_the_future", "not_ready"],
	["available", "failed"],
	["failed", "failed"],
	["timeout", "failed"],
	["expired", "failed"],
	["cancelled", "failed"],
])("says of a video without outputs whose state is %s that it is %s", (state, reason) => {
	const video = {
		id: "video-1",
		visibility: "public",
		outputs: null,
		...(state && { state }),
	} as PlayerOptions["video"];
	const choose = () => chooseSource(video, false, { canPlayType: () => "" });
	expect(choose).toThrow(expect.objectContaining({ code: "not_playable", reason }));
});

it("has what the service said, and keeps a code that it does not know", () => {
	const body = JSON.stringify({ error: "rate_limited", message: "Slow down.", retryAfter: "2026-01-31T12:00:05.000Z" });
	expect(errorFromBody(429, body, "r1")).toMatchObject({
		code: "rate_limited",
		message: "Slow down.",
		status: 429,
		requestId: "r1",
		retryAfter: "2026-01-31T12:00:05.000Z",
	});
	expect(errorFromBody(400, '{"error":"from_the_future"}')).toMatchObject({ code: "from_the_future", reason: "busy" });
});

it.each([
	[200, "network_error", "offline"],
	[403, "internal_error", "busy"],
	[404, "not_found", "deleted"],
	[407, "network_error", "offline"],
	[429, "internal_error", "busy"],
	[502, "internal_error", "busy"],
	[511, "network_error", "offline"],
])(
	"says of a page that something on the way answers with %i that it is %s, for a viewer %s",
	(status, code, reason) => {
		expect(errorFromBody(status, "<html>")).toMatchObject({ code, reason, status });
	},
);
