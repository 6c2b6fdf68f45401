/** A tile of a storyboard: the moment it shows, and its place in a picture. */
export type Tile = {
	readonly seconds: number;
	readonly picture: string;
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
};

/** Reads a storyboard: WebVTT whose cues name a picture and, by `#xywh=`, a part of it. Other lines are passed over. */
export function tilesOf(text: string, address: string): Tile[] {
	const tiles: Tile[] = [];
	let seconds: number | null = null;
	for (const line of text.split("\n")) {
		const time = /^(?:(\d{1,4}):)?(\d{2}):(\d{2}\.\d{3}) -->/.exec(line);
		if (time !== null) {
			seconds = Number(time[1] ?? 0) * 3600 + Number(time[2]) * 60 + Number(time[3]);
			continue;
		}
		const place = /^([^#\s]{1,500})#xywh=(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})\s*$/.exec(line);
		if (place === null || seconds === null) continue;
		const [left, top, width, height] = place.slice(2).map(Number) as [number, number, number, number];
		tiles.push({ seconds, picture: new URL(place[1] as string, address).href, left, top, width, height });
	}
	return tiles;
}
