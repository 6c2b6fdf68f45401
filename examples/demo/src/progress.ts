/** Shows the progress of a step: one line that is drawn over on a terminal, a line for each tenth elsewhere. */
export function createProgress(
	out: NodeJS.WriteStream,
	label: string,
): { show(percent: number, note?: string): void; done(note: string): void } {
	const width = 30;
	let tenth = -1;
	return {
		show(percent, note = "") {
			const filled = Math.round((width * percent) / 100);
			if (out.isTTY)
				out.write(
					`\r\x1b[2K  ${label.padEnd(11)} ${"█".repeat(filled)}${"░".repeat(width - filled)} ${String(Math.round(percent)).padStart(3)} %  ${note}`,
				);
			else if (Math.floor(percent / 10) > tenth) {
				tenth = Math.floor(percent / 10);
				out.write(`  ${label.padEnd(11)} ${String(Math.round(percent)).padStart(3)} %  ${note}\n`);
			}
		},
		done(note) {
			if (out.isTTY) out.write("\r\x1b[2K");
			out.write(`  ${label.padEnd(11)} ✓ ${note}\n`);
		},
	};
}
