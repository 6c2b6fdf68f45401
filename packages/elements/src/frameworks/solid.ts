import type { JSX } from "solid-js";
import type { PlayerEvents, ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader, UploaderEvents } from "../uploader.ts";
import type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";

// The bundler of declarations keeps no import that only a `declare module` uses.
type UploaderProps = JSX.HTMLAttributes<ReelmillUploader> & UploaderTag & Listeners<"on:", UploaderEvents>;
type PlayerProps = JSX.HTMLAttributes<ReelmillPlayer> &
	PlayerTag &
	Listeners<"on:", PlayerEvents> & { key?: ReelmillPlayer["key"] };

declare module "solid-js" {
	// biome-ignore lint/style/noNamespace: this is where Solid has its tags
	namespace JSX {
		interface IntrinsicElements {
			"reelmill-uploader": UploaderProps;
			"reelmill-player": PlayerProps;
		}
	}
}

export type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";
