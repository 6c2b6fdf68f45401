import "@reelmill/elements/uploader";
import type { ReelmillUploader as Element, UploaderEventDetail, UploaderFile } from "@reelmill/elements/uploader";
import { type ForwardRefExoticComponent, forwardRef, type RefAttributes } from "react";
import { type CommonProps, useElement } from "./element.ts";

/** The properties of `ReelmillUploader`. */
export type ReelmillUploaderProps = CommonProps &
	Partial<
		Pick<Element, "initiate" | "uploadOptions" | "words" | "backEnd" | "accept" | "maxBytes" | "maxFiles"> &
			Pick<Element, "simultaneous" | "multiple" | "manual" | "camera" | "disabled" | "required" | "name">
	> & {
		/** Called with each change of a file. */
		onProgress?: (file: UploaderFile) => void;
		onDone?: (file: UploaderFile) => void;
		onFail?: (file: UploaderFile) => void;
		onRefuse?: (file: UploaderFile) => void;
		onCancel?: (file: UploaderFile) => void;
		onExpire?: (file: UploaderFile) => void;
	};

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
	const { initiate, uploadOptions, words } = props;
	const tell = (listener: ((file: UploaderFile) => void) | undefined) =>
		listener && ((event: CustomEvent<UploaderEventDetail>) => listener(event.detail.item));
	return useElement("reelmill-uploader", ref, props, {
		attributes: {
			"back-end": props.backEnd,
			accept: props.accept,
			"max-bytes": props.maxBytes,
			"max-files": props.maxFiles,
			simultaneous: props.simultaneous,
			multiple: props.multiple,
			manual: props.manual,
			camera: props.camera,
			disabled: props.disabled,
			required: props.required,
			name: props.name,
		},
		properties: { initiate, uploadOptions, words },
		listeners: {
			uploadprogress: tell(props.onProgress),
			uploaddone: tell(props.onDone),
			uploadfail: tell(props.onFail),
			uploadrefuse: tell(props.onRefuse),
			uploadcancel: tell(props.onCancel),
			uploadexpire: tell(props.onExpire),
		},
	});
});
