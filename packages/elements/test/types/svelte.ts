// Compiled, not run: what Svelte's compiler of types looks up for the tags of a template.
import type {} from "@reelmill/elements/svelte";
import type { SvelteHTMLElements } from "svelte/elements";

export const right = {
	"reelmill-uploader": {
		"back-end": "/video",
		"max-bytes": "5000000",
		multiple: true,
		class: "wide",
		onuploaddone: ({ detail }) => detail.item.upload?.videoId satisfies string | null | undefined,
		"on:uploadfail": ({ detail }) => detail.item.file.name satisfies string,
	},
	"reelmill-player": {
		video: { id: "video-1", visibility: "public", outputs: null },
		"video-id": "video-1",
		onplayerready: ({ detail }) => detail.player.setSpeed(2),
		onclick: ({ currentTarget }) => currentTarget.pause(),
	},
} satisfies Pick<SvelteHTMLElements, "reelmill-uploader" | "reelmill-player">;

// @ts-expect-error no such preload
export const wrong: SvelteHTMLElements["reelmill-player"] = { preload: "all" };
