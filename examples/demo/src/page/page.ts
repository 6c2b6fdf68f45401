import "@reelmill/elements";
import "./page.css";
import { pictureOf } from "./picture-of.ts";

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
	player.poster = null;
	player.title = name;
	if (title) title.textContent = name;
	if (facts) facts.textContent = "Private: the back end gives this viewer a key.";
	if (code)
		code.textContent = `<reelmill-uploader back-end="/api/video" multiple></reelmill-uploader>
<reelmill-player back-end="/api/video" video-id="${id}"></reelmill-player>`;
	history.replaceState(null, "", `?video=${id}`);
}

// What was uploaded last is on the stage at once: the player says how far its processing is, and then plays it.
uploader.addEventListener("uploaddone", async ({ detail: { item } }) => {
	const id = item.upload?.videoId;
	if (!id) return;
	show(id, item.file.name.replace(/\.\w+$/, ""));
	const picture = await pictureOf(item.file);
	// Another video may be on the stage by now.
	if (player.videoId === id) player.poster = picture;
});

const chosen = new URLSearchParams(location.search).get("video");
if (chosen !== null) show(chosen, "Your video");
else if (code)
	code.textContent = `<reelmill-uploader back-end="/api/video" multiple></reelmill-uploader>
<reelmill-player back-end="/api/video" video-id="…"></reelmill-player>`;
