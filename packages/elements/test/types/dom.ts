// Compiled, not run: what a page without a framework can say to the compiler.
import "@reelmill/elements";

const uploader = document.createElement("reelmill-uploader");
uploader.addEventListener(
	"uploaddone",
	({ detail }) => detail.item.upload?.videoId satisfies string | null | undefined,
);
// The events of the uploader bubble, and are typed wherever they come.
document.addEventListener("uploadfail", ({ detail }) => detail.item.file.name satisfies string);
// @ts-expect-error There is no such field.
uploader.addEventListener("uploadprogress", ({ detail }) => detail.upload);

const player = document.querySelector("reelmill-player");
player?.addEventListener("playerready", ({ detail }) => detail.player.setSpeed(2));
player?.addEventListener("playererror", ({ detail }) => detail.error.message satisfies string);
// @ts-expect-error There is no such method.
player?.addEventListener("playerready", ({ detail }) => detail.player.stop());
