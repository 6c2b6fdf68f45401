/// <reference lib="dom" />
import {
	createUpload,
	createUploader,
	type InitiatedUpload,
	type UploadController,
	type Uploader,
	type UploadRequest,
} from "../../../src/upload.ts";

/** What the tests do in the page. They call these functions by name. */
const actions = {
	upload: undefined as UploadController | undefined,
	uploader: undefined as Uploader | undefined,
	/** Each status that was seen, once for each time it came. */
	statuses: [] as string[],
	/** The kinds of errors for which it tried again, each one where it first came. */
	errors: [] as string[],
	most: 0,

	files: () => [...(document.querySelector("input")?.files ?? [])],
	initiate: async (file: Blob, _: unknown, { kept }: UploadRequest): Promise<InitiatedUpload> => {
		const answer = await fetch(`/initiate?size=${file.size}&kept=${kept}`, { method: "POST" });
		return answer.json();
	},
	start(chunkSize: number) {
		const [file] = actions.files();
		if (!file) throw new Error("no file was chosen");
		const upload = createUpload({ file, initiate: actions.initiate, chunkSize, backoffSeconds: 0.05, retries: 40 });
		upload.state.subscribe(({ status, error }) => {
			if (actions.statuses.at(-1) !== status) actions.statuses.push(status);
			if (error && !actions.errors.includes(error.name)) actions.errors.push(error.name);
		});
		actions.upload = upload;
		void upload.start();
	},
	state: () => actions.upload?.state.get(),
	/** Has the service worker send the file. Resolves to the state in which its upload ends. */
	async startInServiceWorker(chunkSize: number) {
		await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
		const { active } = await navigator.serviceWorker.ready;
		const { port1, port2 } = new MessageChannel();
		const ended = new Promise((resolve) => {
			port1.onmessage = ({ data }) => resolve(data);
		});
		active?.postMessage({ file: actions.files()[0], chunkSize }, [port2]);
		return ended;
	},
	startAll(chunkSize: number) {
		const uploader = createUploader({ initiate: actions.initiate, chunkSize, backoffSeconds: 0.05 });
		uploader.state.subscribe(({ items }) => {
			const sending = items.filter(({ state }) => state.status === "uploading" || state.status === "preparing");
			actions.most = Math.max(actions.most, sending.length);
		});
		actions.uploader = uploader;
		uploader.add(actions.files());
	},
	/** Sends each file by an upload of its own, all at once. Resolves to the ids of their videos. */
	async startEach(chunkSize: number) {
		const uploads = actions.files().map((file) => createUpload({ file, initiate: actions.initiate, chunkSize }));
		return Promise.all(uploads.map(async (upload) => (await upload.start()).videoId));
	},
	all: () => actions.uploader?.state.get(),
};
Object.assign(globalThis, { actions });
