/**
 * From the renditions' BT.709 in limited range to what a JPEG is read as: BT.601 in full range (JFIF 1.02). ffmpeg left
 * alone would shift the colours.
 */
export const jpegColours =
	"scale=in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc,format=yuvj420p";
