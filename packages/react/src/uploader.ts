import "@reelmill/elements/uploader";
import type { ReelmillUploader as Element, UploaderEventDetail, UploaderFile } from "@reelmill/elements/uploader";
import { type ForwardRefExoticComponent, forwardRef, type RefAttributes } from "react";
import { type ElementProps, useElement } from "./element.ts";

/** The properties of `ReelmillUploader`. */
export type ReelmillUploaderProps = ElementProps<
	Element,
	Pick<Element, "initiate" | "uploader" | "uploadOptions" | "words" | "backEnd" | "accept" | "maxBytes" | "maxFiles"> &
		Pick<
			Element,
			"simultaneous" | "multiple" | "manual" | "camera" | "disabled" | "required" | "name" | "leaveUnasked" | "follow"
		> & {
			/** Called with each change of a file. */
			onProgress: (file: UploaderFile) => void;
			onDone: (file: UploaderFile) => void;
			onFail: (file: UploaderFile) => void;
			onRefuse: (file: UploaderFile) => void;
			onCancel: (file: UploaderFile) => void;
			onExpire: (file: UploaderFile) => void;
			/** Called once the video of a file can be played. */
			onVideoReady: (file: UploaderFile) => void;
			/** Called if the video of a file never can be played. */
			onVideoFail: (file: UploaderFile) => void;
		}
>;

/**
 * `<reelmill-uploader>` as a component. Its `ref` is the element.
 * @example
 * ```ts
 * import { ReelmillUploader } from "@reelmill/react";
 * import { createElement } from "react";
 * import { renderToString } from "react-dom/server";
 *
 * const html = renderToString(
 * 	createElement(ReelmillUploader, { backEnd: "/my-backend", multiple: true, onDone: ({ id }) => console.log(id) }),
 * );
 * console.log(html); // => <reelmill-uploader back-end="/my-backend" multiple=""></reelmill-uploader>
 * ```
 */
export const ReelmillUploader: ForwardRefExoticComponent<ReelmillUploaderProps & RefAttributes<Element>> = forwardRef<
	Element,
	ReelmillUploaderProps
>(function ReelmillUploader(props, ref) {
	const { initiate, follow, uploader, uploadOptions, words, backEnd, maxBytes, maxFiles, leaveUnasked, ...rest } =
		props;
	const { onProgress, onDone, onFail, onRefuse, onCancel, onExpire, onVideoReady, onVideoFail, ...others } = rest;
	const tell = (listener: ((file: UploaderFile) => void) | undefined) =>
		listener && ((event: CustomEvent<UploaderEventDetail>) => listener(event.detail.item));
	return useElement("reelmill-uploader", ref, others, {
		attributes: { "back-end": backEnd, "max-bytes": maxBytes, "max-files": maxFiles, "leave-unasked": leaveUnasked },
		properties: { initiate, follow, uploader, uploadOptions, words },
		listeners: {
			uploadprogress: tell(onProgress),
			uploaddone: tell(onDone),
			uploadfail: tell(onFail),
			uploadrefuse: tell(onRefuse),
			uploadcancel: tell(onCancel),
			uploadexpire: tell(onExpire),
			videoready: tell(onVideoReady),
			videofail: tell(onVideoFail),
		},
	});
});
