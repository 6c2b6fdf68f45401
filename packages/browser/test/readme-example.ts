import { createPlayer, createUpload } from "@reelmill/browser";

const ask = async (path: string) => (await fetch(path, { method: "POST" })).json();

export async function sendAndWatch(file: File, element: HTMLVideoElement) {
	const upload = createUpload({ file, initiate: () => ask("/my-backend/initiate") });
	upload.state.subscribe(({ status, bytesSent, bytesTotal }) => console.log(status, bytesSent, bytesTotal));
	const { videoId } = await upload.start();
	const video = await ask(`/my-backend/when-ready/${videoId}`);
	return createPlayer({ element, video, key: () => ask("/my-backend/playback-key") });
}
