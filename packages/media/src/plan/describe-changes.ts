import { displaySize } from "../source/display-size.ts";
import type { SourceAudio, SourceProbe, SourceVideo } from "../types.ts";

/** How many changes are named. A call on a bad line may have hundreds. */
const mostNamed = 8;

/** Names what is so in turn: `320x180, 640x360 from 2.0 s, 1280x720 from 9.4 s`. */
function inTurn(runs: readonly { readonly fromSeconds: number; readonly is: string }[]): string {
	const named = runs
		.slice(0, mostNamed)
		.map(({ fromSeconds, is }, n) => (n === 0 ? is : `${is} from ${fromSeconds.toFixed(1)} s`));
	const more = runs.length - named.length;
	return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** Says which sizes a picture has, as displayed, and from when on; `null` if it keeps one. */
export const pictureChanges = ({ shapes, rotation }: SourceVideo): string | null =>
	shapes === undefined
		? null
		: inTurn(
				shapes.map((shape) => {
					const { width, height } = displaySize({ ...shape, rotation });
					return { fromSeconds: shape.fromSeconds, is: `${width}x${height}` };
				}),
			);

/** Says how many channels a sound has, and from when on; `null` if it keeps them. */
export const channelChanges = ({ channelRuns }: SourceAudio): string | null =>
	channelRuns === undefined
		? null
		: inTurn(channelRuns.map(({ fromSeconds, channels }) => ({ fromSeconds, is: countOf(channels) })));

/** Says of the picture and of each sound what changes midway; none if nothing does. */
export function changesOf({ video, audio, furtherAudio }: SourceProbe): string[] {
	const picture = pictureChanges(video);
	const sounds = (audio === null ? [] : [audio, ...furtherAudio]).map(channelChanges);
	return [
		...(picture === null ? [] : [`picture: ${picture}`]),
		...sounds.flatMap((sound) => (sound === null ? [] : [`sound: ${sound}`])),
	];
}

const countOf = (channels: number): string => (channels === 1 ? "1 channel" : `${channels} channels`);
