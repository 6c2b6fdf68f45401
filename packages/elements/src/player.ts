import { define } from "./base/html-element.ts";
import { ReelmillPlayer } from "./player/player-element.ts";

export type { LocalElement } from "./base/local-element.ts";
export { ReelmillPlayer } from "./player/player-element.ts";
export type { ControlWords, PlayerWords, Plurals, SomeWords } from "./words/words.ts";

define("reelmill-player", ReelmillPlayer);

declare global {
	interface HTMLElementTagNameMap {
		"reelmill-player": ReelmillPlayer;
	}
}
