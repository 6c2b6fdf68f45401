import type { ReelmillPlayer } from "../player.ts";
import type { ReelmillUploader } from "../uploader.ts";

/** `max-bytes` of `maxBytes`. */
type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
	: "";

/** What a template may give for a value: an attribute is a text. */
type Given<Value> = Value | (Value extends number ? `${number}` : Value extends boolean ? "" : never) | undefined;

/** Properties, by their own names and by those of their attributes. */
type Tag<Properties> = {
	[Name in keyof Properties & string as Name | Dashed<Name>]?: Given<Properties[Name]>;
};

/** What `<reelmill-uploader>` takes besides what every element does. */
export type UploaderTag = Tag<
	Pick<ReelmillUploader, "initiate" | "uploader" | "uploadOptions" | "words" | "backEnd" | "accept" | "maxBytes"> &
		Pick<ReelmillUploader, "maxFiles" | "simultaneous" | "multiple" | "manual" | "camera" | "disabled" | "required"> &
		Pick<ReelmillUploader, "name" | "leaveUnasked" | "follow">
>;

/** What `<reelmill-player>` takes besides what every element does, but `key`, which React and Vue keep to themselves. */
export type PlayerTag = Tag<
	Pick<ReelmillPlayer, "video" | "playerOptions" | "words" | "backEnd" | "videoId" | "preload" | "codec"> &
		Pick<ReelmillPlayer, "chapters" | "poster" | "startTime" | "audioOnly" | "autoplay" | "loop" | "muted" | "title">
>;

/** Listeners of events, each under its name with `Before` in front. */
export type Listeners<Before extends string, Events> = {
	[Type in keyof Events & string as `${Before}${Type}`]?: ((event: Events[Type]) => void) | undefined;
};
