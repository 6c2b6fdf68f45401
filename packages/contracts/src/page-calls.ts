import type { CreateVideo, UploadTicket, Video } from "./resources/video.ts";

/**
 * What a page asks of its own back end: `fromBackEnd` of the browser SDK sends it as the JSON body of a POST, and
 * `uploadRoutes` of the back end's SDK answers it. `about` is whatever the page says of its purpose; the back end
 * decides what that means.
 */
export type PageCall = AskedUpload | AskedVideo | AskedPlaybackKey;

/** Asks for an upload. What the video becomes besides is for the back end to say. */
export type AskedUpload = Pick<CreateVideo, "content_type" | "file_size" | "duration_seconds"> & {
	action: "upload";
	/** The file's name as its person has it, for instance for the upload's `external_ref`. Don't trust it. */
	file_name?: string;
	/** A name of the file's bytes: the ticket of an upload that is pending is given again for the same file alone. */
	fingerprint?: string;
	/**
	 * The ids of videos, at most five, whose uploads of this file the browser keeps. One that is this person's and for this
	 * purpose continues.
	 */
	kept?: readonly string[];
	/** A name of this call: a call that is repeated because its answer was lost creates nothing more. */
	call?: string;
	/** Whether another pending upload of the same uploader is cancelled if it is in the way (default: false). */
	replace?: boolean;
	about?: unknown;
};
/** Asks what has become of a video, and for the addresses of its outputs. */
export type AskedVideo = { action: "video"; video_id: string; about?: unknown };
/** Asks for a key to play one video. */
export type AskedPlaybackKey = { action: "playback_key"; video_id: string; about?: unknown };

/** A video as a page sees it: without the tenant's own references. */
export type PageVideo = Omit<Video, "external_ref" | "uploader_ref" | "outro_id">;

/** The answer to `upload`. */
export type PageUpload = {
	video: PageVideo;
	/** Null for one of the `kept` videos: the page has its ticket. */
	upload: UploadTicket | null;
	/** Whether the upload was there before this call. */
	resumed: boolean;
	/** How a kept upload of this person and purpose ended, in whose place this one begins. */
	earlier_state?: Extract<Video["state"], "expired" | "cancelled" | "failed" | "timeout">;
};
