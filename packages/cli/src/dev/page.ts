/** Returns the page to try: it uploads a file, plays the video, and lists the webhooks. It needs no other file. */
export const tryPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Reelmill on this machine</title>
<style nonce="${nonce}">
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c }
	video { width: 100%; background: #000; border-radius: 6px }
	label { display: block; padding: 2rem; border: 2px dashed #888; border-radius: 6px; text-align: center }
	progress { width: 100% }
	pre { overflow: auto; background: #f3f3f3; padding: 1rem; border-radius: 6px }
</style>
<h1>Reelmill on this machine</h1>
<p>What you upload here is gone when the command ends, unless it keeps its data.</p>
<label>A video <input id="file" type="file" accept="video/*"></label>
<progress id="sent" max="1" value="0" hidden></progress>
<p id="state" role="status"></p>
<video id="player" controls playsinline hidden></video>
<h2>Webhooks</h2>
<ol id="webhooks"></ol>
<script type="module" nonce="${nonce}">
	const [file, sent, state, player, webhooks] =
		["file", "sent", "state", "player", "webhooks"].map((id) => document.getElementById(id));
	const say = (text) => { state.textContent = text };
	const json = async (response) => {
		const body = await response.json();
		if (!response.ok) throw new Error(body.message);
		return body;
	};
	const request = (method, url, headers, body) => new Promise((resolve, reject) => {
		const sending = new XMLHttpRequest();
		sending.open(method, url);
		for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
		sending.upload.onprogress = ({ loaded, total }) => { sent.value = loaded / total };
		sending.onerror = () => reject(new Error("The connection broke."));
		sending.onload = () => sending.status < 300 ? resolve(sending) : reject(new Error(sending.responseText));
		sending.send(body);
	});
	async function upload(blob) {
		const content_type = blob.type || "video/mp4";
		const body = JSON.stringify({ content_type, file_size: blob.size });
		const created = await json(await fetch("/dev/videos", { method: "POST", body }));
		const { endpoint, token, metadata } = created.upload;
		const own = { authorization: "Bearer " + token, "tus-resumable": "1.0.0" };
		const made = await request("POST", endpoint, {
			...own,
			"upload-length": String(blob.size),
			"upload-metadata": "video_id " + btoa(metadata.video_id),
		});
		sent.hidden = false;
		const at = new URL(made.getResponseHeader("location"), endpoint).href;
		const type = "application/offset+octet-stream";
		await request("PATCH", at, { ...own, "upload-offset": "0", "content-type": type }, blob);
		sent.hidden = true;
		return created.video.id;
	}
	async function watch(id) {
		for (;;) {
			const video = await json(await fetch("/dev/videos/" + id));
			say(video.state + (video.state === "encoding" ? " " + video.progress + " %" : ""));
			if (video.state === "available") {
				player.src = video.outputs.mp4_url;
				player.poster = video.outputs.poster_url ?? video.outputs.thumbnail_url;
				player.hidden = false;
			}
			if (["available", "failed", "timeout", "expired", "cancelled"].includes(video.state)) return;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
	file.onchange = async () => {
		const [blob] = file.files;
		if (!blob) return;
		player.hidden = true;
		try {
			say("uploading");
			await watch(await upload(blob));
		} catch (error) {
			say(error.message);
		}
	};
	new EventSource("/dev/webhooks").onmessage = ({ data }) => {
		const { type, status, error, event } = JSON.parse(data);
		const entry = document.createElement("li");
		const details = document.createElement("details");
		const summary = document.createElement("summary");
		const body = document.createElement("pre");
		summary.textContent = type + ": " + (error === null ? "answered " + status : error);
		body.textContent = JSON.stringify(event, null, 2);
		details.append(summary, body);
		entry.append(details);
		webhooks.prepend(entry);
	};
</script>
</html>
`;
