import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "createVideo"
	| "listVideos"
	| "getVideo"
	| "deleteVideo"
	| "cancelVideo"
	| "updateVideoVisibility"
	| "getTranscript"
	| "countVideos"
	| "getVideoReport"
	| "getVideoTimeline"
	| "getVideoMetadata"
	| "putVideoMetadata"
	| "getFrame";

export const videoHandlers = ({ videos, transcripts, frames, metadata }: Engine): Pick<Handlers, Names> => ({
	createVideo: ({ principal, input: { body, headers }, request: { requestId } }) =>
		videos.create(principal, body, { idempotencyKey: headers["Idempotency-Key"], requestId }),
	listVideos: ({ principal, input }) => videos.list(principal, input.query),
	countVideos: ({ principal }) => videos.count(principal),
	getVideo: ({ principal, input }) => videos.get(principal, input.params.id),
	deleteVideo: async ({ principal, input, by }) => {
		await videos.delete(principal, input.params.id, by);
		return undefined;
	},
	cancelVideo: ({ principal, input, by }) => videos.cancel(principal, input.params.id, by),
	getFrame: ({ principal, input }) => frames.read(principal, input.params.id, input.params.path),
	getVideoReport: ({ principal, input }) => videos.report(principal, input.params.id),
	getVideoMetadata: ({ principal, input }) => metadata.get(principal, input.params.id),
	putVideoMetadata: ({ principal, input, by }) => metadata.set(principal, input.params.id, input.body, by),
	getVideoTimeline: ({ principal, input }) => videos.timeline(principal, input.params.id),
	getTranscript: ({ principal, input }) => transcripts.get(principal, input.params.id),
	updateVideoVisibility: ({ principal, input, by }) =>
		videos.setVisibility(principal, input.params.id, input.body.visibility, by),
});
