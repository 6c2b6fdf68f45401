/** How long a film has to show its picture, in milliseconds. */
const longest = 10_000;

/** Draws a picture of a film that this browser can play; null of another one, and of one that takes too long. */
export async function pictureOf(file: File): Promise<string | null> {
	const address = URL.createObjectURL(file);
	const film = document.createElement("video");
	try {
		const isThere = await new Promise((resolve) => {
			film.onseeked = () => resolve(true);
			film.onerror = () => resolve(false);
			setTimeout(resolve, longest, false);
			Object.assign(film, { muted: true, src: address, currentTime: 1 });
		});
		if (!isThere) return null;
		const picture = document.createElement("canvas");
		Object.assign(picture, { width: film.videoWidth, height: film.videoHeight });
		picture.getContext("2d")?.drawImage(film, 0, 0);
		return picture.toDataURL("image/jpeg");
	} finally {
		film.removeAttribute("src");
		URL.revokeObjectURL(address);
	}
}
