import type { CallResult } from "@reelmill/client";

type Video = CallResult<"getVideo">;
type Outputs = NonNullable<Video["outputs"]>;

const paths = {
	hls_url: "hls/master.m3u8",
	dash_url: "dash/manifest.mpd",
	mp4_url: "web.mp4",
	thumbnail_url: "og.jpg",
	poster_url: "poster.jpg",
	storyboard_url: "storyboard.vtt",
	chapters_url: "chapters.vtt",
} as const satisfies { readonly [K in keyof Outputs as K extends `${string}_url` ? K : never]: string };

/**
 * Returns a video's outputs at the addresses of this installation. Those of a public video may be at an address that
 * the tenant chose, which the page's policy refuses: a tenant must not choose whom an operator's browser asks. The
 * installation serves every video itself as well.
 */
export function servedHere(id: string, outputs: Outputs | null, origin = window.location.origin): Outputs | null {
	if (outputs === null) return null;
	// The query tells a changed file from what caches have of it.
	const own = Object.entries(paths).flatMap(([name, path]) => {
		const address = outputs[name as keyof typeof paths];
		return address === null ? [] : [[name, `${origin}/videos/${id}/${path}${new URL(address).search}`]];
	});
	return { ...outputs, ...Object.fromEntries(own) };
}

/** Returns the address of one of a video's pictures at this installation, whatever its address is for viewers. */
export function pictureHere(id: string, url: string, origin = window.location.origin): string {
	const { pathname, search } = new URL(url);
	return `${origin}/videos/${id}/${pathname.slice(pathname.lastIndexOf("/") + 1)}${search}`;
}
