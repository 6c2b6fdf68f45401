/// <reference lib="webworker" />
import { createUpload } from "../../../src/upload.ts";

/** Sends a file for a page, as a page that is closed has it done, and tells the state in which the upload ends. */
addEventListener("message", (event) => {
	const { data, ports } = event;
	const { file, chunkSize } = data as { file: File; chunkSize: number };
	const initiate = async () => (await fetch(`/initiate?size=${file.size}`, { method: "POST" })).json();
	const upload = createUpload({ file, initiate, chunkSize, backoffSeconds: 0.05, retries: 10 });
	const ended = upload
		.start()
		.catch(() => {})
		.then(() => ports[0]?.postMessage({ ...upload.state.get(), error: upload.state.get().error?.message ?? null }));
	(event as Event as ExtendableMessageEvent).waitUntil(ended);
});
