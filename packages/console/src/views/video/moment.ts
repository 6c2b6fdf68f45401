/** "1:02.5", or with hours "1:01:02.5": a moment of a video, to the millisecond. */
export function momentText(seconds: number): string {
	const milliseconds = Math.round(seconds * 1000);
	const [whole, rest] = [Math.floor(milliseconds / 1000), milliseconds % 1000];
	const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
	const two = (count: number) => String(count).padStart(2, "0");
	const clock = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
	return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}

/** Reads seconds, with minutes and hours in front of them or without; `null` if the text is neither. */
export function readMoment(text: string): number | null {
	const trimmed = text.trim();
	if (!/^(?:\d{1,4}:){0,2}\d{1,6}(?:\.\d{1,6})?$/.test(trimmed)) return null;
	return trimmed.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
