import type { Store } from "@reelmill/browser/upload";
import { useSyncExternalStore } from "react";

/**
 * Returns the state of a store of `@reelmill/browser`, and renders again when it changes. On a server it returns the
 * state of now.
 * @example
 * ```ts
 * import { createUploader } from "@reelmill/browser/upload";
 * import { useStore } from "@reelmill/react";
 * import { createElement } from "react";
 * import { renderToString } from "react-dom/server";
 *
 * const uploader = createUploader({ initiate: async () => (await fetch("/my-backend/initiate")).json() });
 * const Progress = () => createElement("output", null, useStore(uploader.state).bytesTotal);
 * console.log(renderToString(createElement(Progress))); // => <output>0</output>
 * ```
 */
export const useStore = <State>(store: Store<State>): State =>
	useSyncExternalStore(store.subscribe, store.get, store.get);
