import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type { PlayerEvents, ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader, UploaderEvents } from "../uploader.ts";
import type { PlayerTag, UploaderTag } from "./tags.ts";

/** An element as the templates of Vue know components. */
type Component<Element, Tag, Events> = new () => Element & {
	$props: HTMLAttributes & Tag & PublicProps;
	$emit: EmitFn<{ [Type in keyof Events]: (event: Events[Type]) => void }>;
};

declare module "vue" {
	interface GlobalComponents {
		"reelmill-uploader": Component<ReelmillUploader, UploaderTag, UploaderEvents>;
		"reelmill-player": Component<ReelmillPlayer, PlayerTag, PlayerEvents>;
	}
}

export type { PlayerTag, UploaderTag } from "./tags.ts";
