import "@reelmill/elements";
import "./page.css";

const find = <Found extends Element>(selector: string): Found => {
	const found = document.querySelector<Found>(selector);
	if (found === null) throw new Error(`the page has no ${selector}`);
	return found;
};
const player = find<HTMLElementTagNameMap["reelmill-player"]>("reelmill-player");
const uploader = find<HTMLElementTagNameMap["reelmill-uploader"]>("reelmill-uploader");
const [title, facts, code] = ["#title", "#facts", "#code"].map((selector) => find<HTMLElement>(selector));

/** Plays a video of the tenant's, and says its name. */
function show(id: string, name: string): void {
	player.hidden = false;
	player.videoId = id;
	player.title = name;
	if (title) title.textContent = name;
	if (facts) facts.textContent = "Private: the back end gives this viewer a key.";
	if (code)
		code.textContent = `<reelmill-uploader back-end="/api/video" multiple></reelmill-uploader>
<reelmill-player back-end="/api/video" video-id="${id}"></reelmill-player>`;
	history.replaceState(null, "", `?video=${id}`);
}

/** Draws a picture of a film that this browser can play; none of another one. */
async function pictureOf(file: File): Promise<string | null> {
	const film = document.createElement("video");
	Object.assign(film, { muted: true, src: URL.createObjectURL(file), currentTime: 1 });
	const isThere = await new Promise((resolve) => {
		film.onseeked = () => resolve(true);
		film.onerror = () => resolve(false);
	});
	const picture = document.createElement("canvas");
	Object.assign(picture, { width: film.videoWidth, height: film.videoHeight });
	if (isThere) picture.getContext("2d")?.drawImage(film, 0, 0);
	URL.revokeObjectURL(film.src);
	return isThere ? picture.toDataURL("image/jpeg") : null;
}

// What was uploaded last is on the stage at once: the player says how far its processing is, and then plays it.
uploader.addEventListener("uploaddone", ({ detail: { item } }) => {
	if (!item.upload?.videoId) return;
	show(item.upload.videoId, item.file.name.replace(/\.\w+$/, ""));
	pictureOf(item.file).then((picture) => {
		player.poster = picture;
	});
});

const chosen = new URLSearchParams(location.search).get("video");
if (chosen !== null) show(chosen, "Your video");
else if (code)
	code.textContent = `<reelmill-uploader back-end="/api/video" multiple></reelmill-uploader>
<reelmill-player back-end="/api/video" video-id="…"></reelmill-player>`;
