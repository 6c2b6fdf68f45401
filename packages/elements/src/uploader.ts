import { define } from "./base/html-element.ts";
import { ReelmillUploader, type UploaderEvents } from "./uploader/uploader-element.ts";

export type { AwaitedVideo } from "./base/await-video.ts";
export type { LocalElement } from "./base/local-element.ts";
export type { UploaderFile } from "./uploader/file-list.ts";
export type { FileRules, Refusal } from "./uploader/refusal.ts";
export { ReelmillUploader, type UploaderEventDetail, type UploaderEvents } from "./uploader/uploader-element.ts";
export type { Plurals, SomeWords, UploaderWords } from "./words/words.ts";

define("reelmill-uploader", ReelmillUploader);

declare global {
	interface GlobalEventHandlersEventMap extends UploaderEvents {}
	interface HTMLElementTagNameMap {
		"reelmill-uploader": ReelmillUploader;
	}
}
