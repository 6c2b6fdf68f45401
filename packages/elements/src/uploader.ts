import { define } from "./base/html-element.ts";
import { ReelmillUploader } from "./uploader/uploader-element.ts";

export type { LocalElement } from "./base/local-element.ts";
export type { UploaderFile } from "./uploader/file-list.ts";
export type { FileRules, Refusal } from "./uploader/refusal.ts";
export { ReelmillUploader, type UploaderEventDetail } from "./uploader/uploader-element.ts";
export type { Plurals, SomeWords, UploaderWords } from "./words/words.ts";

define("reelmill-uploader", ReelmillUploader);

declare global {
	interface HTMLElementTagNameMap {
		"reelmill-uploader": ReelmillUploader;
	}
}
