import type { HTMLAttributes } from "svelte/elements";
import type { PlayerEvents, ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader, UploaderEvents } from "../uploader.ts";
import type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";

// The bundler of declarations keeps no import that only a `declare module` uses.
type UploaderProps = HTMLAttributes<ReelmillUploader> & UploaderTag & Listeners<"on" | "on:", UploaderEvents>;
type PlayerProps = HTMLAttributes<ReelmillPlayer> &
	PlayerTag &
	Listeners<"on" | "on:", PlayerEvents> & { key?: ReelmillPlayer["key"] };

declare module "svelte/elements" {
	interface SvelteHTMLElements {
		"reelmill-uploader": UploaderProps;
		"reelmill-player": PlayerProps;
	}
}

export type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";
