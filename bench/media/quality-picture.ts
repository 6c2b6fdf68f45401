/** A curve of one panel: points of bits per second and quality in decibels, in the order of their rates. */
export type DrawnCurve = { readonly name: string; readonly points: readonly { bits: number; quality: number }[] };
export type Panel = { readonly title: string; readonly curves: readonly DrawnCurve[] };

/** Each has enough contrast on white and on black. */
const colours = ["#888888", "#b07d00", "#4d9c0f", "#0e90a8", "#4f7bed", "#c04fc0", "#e0562c"];
const [width, height, left, top, gap] = [300, 260, 52, 34, 18];

const ticks = (from: number, to: number, steps: readonly number[]): number[] =>
	steps.filter((step) => step >= from && step <= to);
const rates = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
/** SSIM, at even steps of decibels. */
const likenesses = [0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998];
const decibels = (alike: number) => -10 * Math.log10(1 - alike);

/** Draws panels side by side as one SVG: rates to the right, similarity upwards, both in even steps of a logarithm. */
export function drawCurves(panels: readonly Panel[], description: string): string {
	const names = [...new Set(panels.flatMap(({ curves }) => curves.map(({ name }) => name)))];
	const colour = (name: string) => colours[names.indexOf(name) % colours.length] as string;
	const whole = {
		width: panels.length * (width + left + gap),
		height: height + top + 54 + 22 * Math.ceil(names.length / 3),
	};
	const legend = names.map((name, n) => {
		const [x, y] = [left + (n % 3) * ((whole.width - left) / 3), height + top + 58 + 22 * Math.floor(n / 3)];
		return `<path d="M${x} ${y - 4}h22" stroke="${colour(name)}" stroke-width="3"/><text x="${x + 28}" y="${y}">${name}</text>`;
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole.width} ${whole.height}" role="img" aria-label="${description}">`,
		"<style>text{font:13px sans-serif;fill:#656d76}.t{font-weight:bold}.g{stroke:#9ca3af;stroke-opacity:.35}path{fill:none}@media(prefers-color-scheme:dark){text{fill:#aab2bd}}</style>",
		...panels.map((panel, n) => drawPanel(panel, n * (width + left + gap) + left, colour)),
		...legend,
		"</svg>\n",
	].join("\n");
}

function drawPanel({ title, curves }: Panel, x0: number, colour: (name: string) => string): string {
	const all = curves.flatMap(({ points }) => points);
	const [from, to] = [Math.min(...all.map(({ bits }) => bits)), Math.max(...all.map(({ bits }) => bits))];
	const [low, high] = [Math.min(...all.map(({ quality }) => quality)), Math.max(...all.map(({ quality }) => quality))];
	const x = (bits: number) => (x0 + (Math.log(bits / from) / Math.log(to / from)) * width).toFixed(1);
	const y = (quality: number) => (top + height - ((quality - low) / (high - low)) * height).toFixed(1);
	const lines = curves.map(({ name, points }) => {
		const at = points.map(({ bits, quality }) => `${x(bits)} ${y(quality)}`).join("L");
		return `<path d="M${at}" stroke="${colour(name)}" stroke-width="2.5"/>`;
	});
	return [
		`<text class="t" x="${x0}" y="${top - 14}">${title}</text>`,
		...ticks(low, high, likenesses.map(decibels)).map((quality, n) => {
			const label = likenesses.filter((alike) => decibels(alike) >= low)[n];
			return `<path class="g" d="M${x0} ${y(quality)}h${width}"/><text x="${x0 - 6}" y="${Number(y(quality)) + 4}" text-anchor="end">${label}</text>`;
		}),
		...ticks(from / 1e6, to / 1e6, rates).map(
			(rate) =>
				`<path class="g" d="M${x(rate * 1e6)} ${top}v${height}"/><text x="${x(rate * 1e6)}" y="${top + height + 18}" text-anchor="middle">${rate}</text>`,
		),
		...lines,
		`<text x="${x0 + width}" y="${top + height + 36}" text-anchor="end">Mb/s</text>`,
	].join("\n");
}
