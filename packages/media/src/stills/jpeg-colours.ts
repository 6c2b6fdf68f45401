/**
 * The filters from the renditions' colours (BT.709 in limited range) to a JPEG's (BT.601 in full range, JFIF 1.02).
 * Without them ffmpeg would shift the colours.
 */
export const jpegColours =
	"scale=in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc,format=yuvj420p";
