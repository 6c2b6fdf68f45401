import type { PictureShape, Size, SourceVideo } from "../types.ts";

/** A picture whose shape differs by less is stretched: bars of a few lines would look like a fault. */
const unseenShare = 0.02;

const fixed = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** What pictures of several shapes are fitted into. */
type Box = Size & {
	/** The shape of its pixels (default: square). */
	readonly pixels?: SourceVideo["sampleAspectRatio"];
	/** Keeps the lines of both fields apart, and their colours (default: false). */
	readonly interlaced?: boolean;
};

/**
 * Returns the filters that fit pictures of any shape into a box without stretching them; what they leave of it is black.
 * They see each picture's own size and shape of pixels, so they need not start again when these change.
 * @param options further options of the scaler
 */
export function fitFilters({ width, height, pixels, interlaced = false }: Box, options: string): string[] {
	const target = fixed(width / height);
	const square = "if(between(sar,0.1,10),sar,1)";
	const shape = pixels === undefined ? square : `${square}*${pixels.denominator}/${pixels.numerator}`;
	const own = `iw/ih*${shape}`;
	const step = interlaced ? 4 : 2;
	const whole = (pixels: string) => `max(${step},${step}*round((${pixels})/${step}))`;
	const [least, most] = [fixed(1 - unseenShare), fixed(1 + unseenShare)];
	const across = `if(gte(${own},${target}*${least}),${width},${whole(`${height}*${own}`)})`;
	const down = `if(lte(${own},${target}*${most}),${height},${whole(`${width}/(${own})`)})`;
	const lines = interlaced ? ":interl=-1" : "";
	return [
		`scale=w='min(${width},${across})':h='min(${height},${down})':eval=frame${lines}${options}`,
		`pad=${width}:${height}:(ow-iw)/2:'${step}*floor((oh-ih)/${2 * step})':eval=frame`,
	];
}

/** Returns the filters that bring all pictures of fields to the source's own shape, as the deinterlacer needs it. */
export function fitFields({ width, height, sampleAspectRatio }: SourceVideo): string[] {
	const { numerator, denominator } = sampleAspectRatio;
	const fit = fitFilters({ width, height, pixels: sampleAspectRatio, interlaced: true }, "");
	return [...fit, `setsar=${numerator}/${denominator}`];
}

/**
 * Returns the filters that turn and mirror a picture as its source asks for. ffmpeg does so by itself (autorotate), but
 * in front of all other filters, which can't be where pictures change their size.
 */
export function turningFilters({ rotation, matrix }: SourceVideo): string[] {
	if (matrix === "upended") return ["vflip", "copy"];
	const turns = { 0: [], 90: ["clock"], 180: ["clock", "clock"], 270: ["cclock"] };
	return turns[rotation].map((direction) => `transpose=${direction}`);
}

/** Says whether `turningFilters` turn or mirror a picture, and not ffmpeg by itself. */
export const isTurnedByFilters = (video: SourceVideo): boolean =>
	video.shapes !== undefined && turningFilters(video).length > 0;

const aspect = ({ width, height, sampleAspectRatio }: Omit<PictureShape, "fromSeconds">): number =>
	(width * sampleAspectRatio.numerator) / (height * sampleAspectRatio.denominator);

/** Says whether a source has pictures that don't fill the shape of its outputs. */
export const needsBars = ({ shapes = [], ...video }: SourceVideo): boolean =>
	shapes.some((shape) => Math.abs(aspect(shape) / aspect(video) - 1) > unseenShare);

/** Returns the box of a size as displayed, in the orientation in which the source stores its pictures. */
export const storedBox = ({ rotation }: SourceVideo, { width, height }: Size): Size =>
	rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height };
