/// <reference lib="webworker" />
import { createUpload, fromBackEnd } from "@reelmill/browser";

/** Sends a file for a page, and tells the state in which the upload ends. */
addEventListener("message", (event) => {
	const { data, ports } = event;
	const { file, backEndUrl } = data as { file: File; backEndUrl: string };
	const backEnd = fromBackEnd(backEndUrl);
	const initiate = () => backEnd.initiate(file);
	const upload = createUpload({ file, initiate, chunkSize: 64 * 1024, backoffSeconds: 0.05 });
	const ended = upload
		.start()
		.catch(() => {})
		.then(() => ports[0]?.postMessage({ ...upload.state.get(), error: upload.state.get().error?.message ?? null }));
	(event as Event as ExtendableMessageEvent).waitUntil(ended);
});
