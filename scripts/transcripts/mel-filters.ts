const samplesPerSecond = 16_000;
const frequencies = 201;
const linearTop = 1000;
const linearStep = 200 / 3;
const melsBelowLinearTop = linearTop / linearStep;
const logarithmicStep = Math.log(6.4) / 27;

const melOf = (hertz: number): number =>
	hertz < linearTop ? hertz / linearStep : melsBelowLinearTop + Math.log(hertz / linearTop) / logarithmicStep;
const hertzOf = (mel: number): number =>
	mel < melsBelowLinearTop ? mel * linearStep : linearTop * Math.exp(logarithmicStep * (mel - melsBelowLinearTop));

/**
 * Returns Slaney's filters, with which Whisper models listen: for each band a row of 201 weights, one for each
 * frequency of a Fourier transform over 400 samples at 16,000 Hz. Each band has the same area.
 */
export function melFilters(bands: number): Float32Array {
	const highest = samplesPerSecond / 2;
	const edges = Array.from({ length: bands + 2 }, (_, n) => hertzOf((melOf(highest) * n) / (bands + 1)));
	const weights = new Float32Array(bands * frequencies);
	for (let band = 0; band < bands; band += 1) {
		const [low, middle, high] = edges.slice(band, band + 3) as [number, number, number];
		for (let n = 0; n < frequencies; n += 1) {
			const hertz = (highest * n) / (frequencies - 1);
			const height = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
			weights[band * frequencies + n] = (Math.max(0, height) * 2) / (high - low);
		}
	}
	return weights;
}
