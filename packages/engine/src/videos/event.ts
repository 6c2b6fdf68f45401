import type { EventType, VideoPart, WebhookEvent } from "@reelmill/contracts";
import type { VideoRecord } from "./record.ts";
import { type FileUrl, viewVideo } from "./view.ts";

/**
 * Returns the body of an event that tells of a video as it is now. `type` is what the state machine says of the move
 * to the record's state, or `video.updated`, of `changed`. So the video has what the type promises, such as outputs if it
 * is `video.ready`, which the compiler can't see.
 */
export const eventOf = (
	type: EventType,
	deliveryId: string,
	record: VideoRecord,
	{ fileUrl, now, changed }: { fileUrl: FileUrl; now: Date; changed?: readonly VideoPart[] },
): WebhookEvent =>
	({
		id: deliveryId,
		type,
		created_at: now.toISOString(),
		domain_id: record.domain_id,
		data: { video: viewVideo(record, fileUrl), ...(changed && { changed }) },
	}) as WebhookEvent;
