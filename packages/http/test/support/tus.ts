import type { CreatedVideo } from "@reelmill/contracts";
import { type Answer, bearer, type Sent, send } from "./send.ts";

export type Tus = {
	readonly id: string;
	readonly path: string;
	readonly headers: Record<string, string>;
	create(options?: { headers?: Record<string, string>; body?: string }): Promise<Answer>;
	head(): Promise<Answer>;
	patch(offset: number, body: string, headers?: Record<string, string>): Promise<Answer>;
	send(request: Omit<Sent, "path"> & { path?: string }): Promise<Answer>;
};

export const metadata = (videoId: string): string => `video_id ${Buffer.from(videoId).toString("base64")}`;
export const offsetType = { "content-type": "application/offset+octet-stream" };

/** Raw tus requests for one upload of ten bytes. */
export function tusFor(url: string, { video, upload }: CreatedVideo): Tus {
	const headers = { ...bearer(upload.token), "tus-resumable": "1.0.0" };
	const path = `/uploads/${video.id}`;
	const one = (request: Omit<Sent, "path"> & { path?: string }) =>
		send(url, { path, ...request, headers: { ...headers, ...request.headers } });
	return {
		id: video.id,
		path,
		headers,
		create: ({ headers: more = {}, body } = {}) =>
			one({
				method: "POST",
				path: "/uploads",
				headers: { "upload-length": "10", "upload-metadata": metadata(video.id), ...more },
				...(body !== undefined && { body }),
			}),
		head: () => one({ method: "HEAD" }),
		patch: (offset, body, more = {}) =>
			one({ method: "PATCH", headers: { ...offsetType, "upload-offset": String(offset), ...more }, body }),
		send: one,
	};
}
