import type { HTMLAttributes } from "svelte/elements";
import type { PlayerEvents, ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader, UploaderEvents } from "../uploader.ts";
import type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";

declare module "svelte/elements" {
	interface SvelteHTMLElements {
		"reelmill-uploader": HTMLAttributes<ReelmillUploader> & UploaderTag & Listeners<"on" | "on:", UploaderEvents>;
		"reelmill-player": HTMLAttributes<ReelmillPlayer> &
			PlayerTag &
			Listeners<"on" | "on:", PlayerEvents> & { key?: ReelmillPlayer["key"] };
	}
}

export type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";
