import { define } from "./base/html-element.ts";
import { type PlayerEvents, ReelmillPlayer } from "./player/player-element.ts";

export type { Chapter } from "@reelmill/browser/player";
export type { LocalElement } from "./base/local-element.ts";
export { type PlayerEvents, ReelmillPlayer } from "./player/player-element.ts";
export type { ControlWords, PlayerWords, Plurals, SomeWords } from "./words/words.ts";

define("reelmill-player", ReelmillPlayer);

declare global {
	interface GlobalEventHandlersEventMap extends PlayerEvents {}
	interface HTMLElementTagNameMap {
		"reelmill-player": ReelmillPlayer;
	}
}
