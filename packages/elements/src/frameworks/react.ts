import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader } from "../uploader.ts";
import type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";

/** React 19 listens to any event by `on` and its name: `onuploaddone`. */
type Props<Element, Tag> = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
	Tag &
	Listeners<"on", GlobalEventHandlersEventMap>;

declare module "react" {
	// biome-ignore lint/style/noNamespace: this is where React has its tags
	namespace JSX {
		interface IntrinsicElements {
			"reelmill-uploader": Props<ReelmillUploader, UploaderTag>;
			"reelmill-player": Props<ReelmillPlayer, PlayerTag>;
		}
	}
}

export type { Listeners, PlayerTag, UploaderTag } from "./tags.ts";
