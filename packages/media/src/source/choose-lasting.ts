import type { ChannelRun, PictureShape } from "../types.ts";
import { displaySize } from "./display-size.ts";
import { largestLasting } from "./lasting.ts";
import type { StreamAudio, StreamVideo } from "./streams.ts";

/** A track's channels from a moment on, with what is known of their layout. */
export type SoundRun = ChannelRun & Pick<StreamAudio, "unmixable">;

/** Names a shape: two shapes that look alike have the same name. */
export const shapeName = ({ width, height, sampleAspectRatio }: Omit<PictureShape, "fromSeconds">): string =>
	`${width}x${height} ${sampleAspectRatio.numerator}:${sampleAspectRatio.denominator}`;

function shownPixels(shape: PictureShape): number {
	const { width, height } = displaySize({ ...shape, rotation: 0 });
	return width * height;
}

/** Gives a picture that changes its shape the shape that its outputs have, and lists all of its shapes. */
export function lastingPicture(video: StreamVideo, shapes: readonly PictureShape[], endSeconds: number): StreamVideo {
	const [first, ...later] = shapes;
	if (first === undefined || later.length === 0) return video;
	const { pixelShape: _shape, ...rest } = video;
	const by = { name: shapeName, size: shownPixels };
	const { fromSeconds: _from, ...chosen } = largestLasting([first, ...later], endSeconds, by);
	return { ...rest, ...chosen, shapes };
}

/** Gives a sound that changes its channels as many as its outputs are made of, and lists all of them. */
export function lastingSound(sound: StreamAudio, runs: readonly SoundRun[], endSeconds: number): StreamAudio {
	const [first, ...later] = runs;
	if (first === undefined || later.length === 0) return sound;
	const { unmixable: _unmixable, ...rest } = sound;
	const by = { name: ({ channels }: SoundRun) => String(channels), size: ({ channels }: SoundRun) => channels };
	const { fromSeconds: _from, ...chosen } = largestLasting([first, ...later], endSeconds, by);
	const channelRuns = runs.map(({ fromSeconds, channels }) => ({ fromSeconds, channels }));
	return { ...rest, ...chosen, channelRuns };
}
