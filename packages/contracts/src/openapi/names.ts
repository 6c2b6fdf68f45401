const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
/** Writes `video_not_found` or `x-request-id` as `VideoNotFound` and `XRequestId`. */
export const pascal = (text: string): string =>
	text
		.split(/[^A-Za-z0-9]+/)
		.map(capital)
		.join("");
