/** Ten times as long as what ffprobe prints of a packet or a frame. */
const longestLine = 4096;

/**
 * Returns a taker of output that hands on each whole line as it comes, without keeping any. The taker throws if a line is
 * longer than ffprobe's ever are.
 */
export function byLine(take: (line: string) => void): (chunk: Buffer) => void {
	let rest = "";
	return (chunk) => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > longestLine) throw new Error(`ffprobe printed a line of more than ${longestLine} characters.`);
		lines.forEach(take);
	};
}
