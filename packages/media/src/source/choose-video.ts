import type { PacketScan } from "./scan-packets.ts";
import type { StreamVideo } from "./streams.ts";

/**
 * A track with fewer packets than this share of another's is a still picture beside it, or a show of slides. So is one
 * with a single packet.
 */
const stillShare = 1 / 50;

const canBeDecoded = ({ width, height, pixelFormat }: StreamVideo): boolean =>
	width > 0 && height > 0 && pixelFormat !== "unknown";

/**
 * Chooses the track of pictures that is shown: the first that can be decoded and moves; `undefined` if none can be
 * decoded. A still picture in front of a film loses to the film, even if the file marks it as the one to play.
 * @param videos in the order in which the file prefers them
 */
export function chooseVideo(
	videos: readonly StreamVideo[],
	packets: ReadonlyMap<number, PacketScan>,
): StreamVideo | undefined {
	const usable = videos.filter(canBeDecoded);
	const count = ({ index }: StreamVideo) => packets.get(index)?.count ?? 0;
	const most = Math.max(0, ...usable.map(count));
	return usable.find((video) => count(video) >= Math.min(most, Math.max(2, most * stillShare)));
}
