import type { Damage } from "../encode/damage-meter.ts";
import { mayJump } from "../source/packet-clock.ts";
import type { SourceProbe } from "../types.ts";

/**
 * How many packets or pictures a whole recording may lose: those that its beginning or its end cut through. A broadcast
 * has no index, and the decoder of its sound may take some packets to find its way.
 */
const mostAtTheEnds = { pictures: 2, sounds: 2, soundsOfBroadcast: 5 };

const counted = (count: number, one: string, many: string): string[] =>
	count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/**
 * Says what ffmpeg counted that is damaged inside of a source; `null` if it is whole, but for its ends. A call may begin
 * with pictures that nothing can be made of, up to its first key frame.
 */
export function damageInside({ packets, pictures, sounds }: Damage, { container, video }: SourceProbe): string | null {
	const lost = Math.max(0, packets - (video.packetsBeforeKey ?? 0));
	const mostSounds = mayJump(container) ? mostAtTheEnds.soundsOfBroadcast : mostAtTheEnds.sounds;
	if (lost + pictures <= mostAtTheEnds.pictures && sounds <= mostSounds) return null;
	const found = [
		...counted(lost, "lost picture", "lost pictures"),
		...counted(pictures, "fault within a picture", "faults within pictures"),
		...counted(sounds, "lost piece of sound", "lost pieces of sound"),
	];
	return `${found.join(", ")}, as ffmpeg counted`;
}
