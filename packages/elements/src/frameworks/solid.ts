import type { JSX } from "solid-js";
import type { PlayerEvents, ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader, UploaderEvents } from "../uploader.ts";
import type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";

declare module "solid-js" {
	// biome-ignore lint/style/noNamespace: this is where Solid has its tags
	namespace JSX {
		interface IntrinsicElements {
			"reelmill-uploader": JSX.HTMLAttributes<ReelmillUploader> & UploaderTag & Listeners<"on:", UploaderEvents>;
			"reelmill-player": JSX.HTMLAttributes<ReelmillPlayer> &
				PlayerTag &
				Listeners<"on:", PlayerEvents> & { key?: ReelmillPlayer["key"] };
		}
	}
}

export type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";
