import { expect, it } from "vitest";
import { errorFromBody, PlayerError, type PlayerErrorCode } from "../src/player-error.ts";

it.each<[PlayerErrorCode, string, string]>([
	["network_error", "offline", "The connection is lost. The video goes on when it is back."],
	["playback_key_required", "locked", "You need a permission to watch this video."],
	["key_unavailable", "locked", "You need a permission to watch this video."],
	["forbidden", "locked", "You need a permission to watch this video."],
	["playback_key_invalid", "revoked", "You may not watch this video any more."],
	["not_found", "deleted", "This video is gone."],
	["video_not_found", "deleted", "This video is gone."],
	["rate_limited", "busy", "The service is busy. Try again in a moment."],
	["media_error", "undecodable", "This browser failed to play the video."],
	["unsupported", "unsupported", "This browser can't play this video."],
	["not_playable", "not_ready", "This video can't be played yet."],
])("says of %s that it is %s, in plain words", (code, reason, sentence) => {
	expect(new PlayerError(code, "For developers.")).toMatchObject({ code, reason, sentence });
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
