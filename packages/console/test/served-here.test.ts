import type { CallResult } from "@reelmill/client";
import { expect, it } from "vitest";
import { pictureHere, servedHere } from "../src/playback/served-here.ts";

const id = "3f2c8a54-5a0e-4a5e-9d5c-0123456789ab";
const here = "https://video.example";

it("takes outputs from this installation, wherever the tenant's viewers get them, and makes none up", () => {
	const elsewhere = (path: string) => `https://cdn.tenant.example/public/${id}/p1/${path}`;
	const outputs = {
		hls_url: elsewhere("hls/master.m3u8"),
		dash_url: null,
		mp4_url: elsewhere("web.mp4"),
		thumbnail_url: elsewhere("og.jpg"),
		poster_url: elsewhere("poster.jpg"),
		storyboard_url: elsewhere("storyboard.vtt"),
		chapters_url: null,
		web_mp4_outro_id: null,
		renditions: [],
	} satisfies Partial<CallResult<"getVideo">["outputs"]> as NonNullable<CallResult<"getVideo">["outputs"]>;
	expect(servedHere(id, outputs, here)).toEqual({
		...outputs,
		hls_url: `${here}/videos/${id}/hls/master.m3u8`,
		mp4_url: `${here}/videos/${id}/web.mp4`,
		thumbnail_url: `${here}/videos/${id}/og.jpg`,
		poster_url: `${here}/videos/${id}/poster.jpg`,
		storyboard_url: `${here}/videos/${id}/storyboard.vtt`,
	});
	expect(servedHere(id, null, here)).toBeNull();
});

it("takes a picture from this installation, with the edit that its address names", () => {
	expect(pictureHere(id, `https://cdn.tenant.example/public/${id}/p1/preview.webp?v=2`, here)).toBe(
		`${here}/videos/${id}/preview.webp?v=2`,
	);
});
