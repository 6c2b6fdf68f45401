// The player shows the video as soon as it is prepared.
const player = document.querySelector("reelmill-player");
document.querySelector("reelmill-uploader").addEventListener("uploaddone", ({ detail }) => {
	player.hidden = false;
	player.videoId = detail.item.upload.videoId;
});
