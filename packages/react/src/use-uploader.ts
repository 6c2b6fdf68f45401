import { createUploader, type Uploader, type UploaderOptions, type UploaderState } from "@reelmill/browser/upload";
import { useEffect, useRef, useState } from "react";
import { useStore } from "./use-store.ts";

/** The state of an uploader, and what can be done with it. */
export type UsedUploader = UploaderState & Omit<Uploader, "state" | "close">;

/**
 * Sends files with a look of your own: an uploader of `@reelmill/browser` that lives as long as the component. It reads
 * `initiate` anew for each file, and the other options once. When the component goes, its uploads are let go; the same
 * file continues them later. With an `uploader` that was made outside by `createUploader`, they go on.
 * @example
 * ```ts
 * import { useUploader } from "@reelmill/react";
 * import { createElement } from "react";
 * import { renderToString } from "react-dom/server";
 *
 * function Upload() {
 * 	const { items, add } = useUploader({ initiate: async () => (await fetch("/my-backend/initiate")).json() });
 * 	return createElement(
 * 		"label",
 * 		null,
 * 		`${items.length} videos`,
 * 		createElement("input", { type: "file", onChange: ({ target }) => add(target.files ?? []) }),
 * 	);
 * }
 * console.log(renderToString(createElement(Upload))); // => <label>0 videos<input type="file"/></label>
 * ```
 */
export function useUploader(options: UploaderOptions | { uploader: Uploader }): UsedUploader {
	const latest = useRef(options);
	useEffect(() => {
		latest.current = options;
	});
	const given = "uploader" in options ? options.uploader : undefined;
	const [own] = useState(() => {
		if ("uploader" in options) return undefined;
		return createUploader({
			...options,
			initiate: (...asked) => (latest.current as UploaderOptions).initiate(...asked),
		});
	});
	useEffect(() => () => own?.close(), [own]);
	const uploader = given ?? own;
	if (!uploader) throw new TypeError("useUploader needs initiate from its first call on, or an uploader at each.");
	const { state, close, ...actions } = uploader;
	return { ...useStore(state), ...actions };
}
