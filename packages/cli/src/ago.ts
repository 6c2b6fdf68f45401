const steps = [
	{ unit: "min", seconds: 60, below: 3600 },
	{ unit: "h", seconds: 3600, below: 86_400 },
	{ unit: "days", seconds: 86_400, below: Number.POSITIVE_INFINITY },
] as const;

/** Says how far a time is away from `now`, in milliseconds: `3 min ago`, `in 2 h`, `now` within half a minute. */
export function ago(at: string, now: number): string {
	const seconds = Math.round((now - Date.parse(at)) / 1000);
	const distance = Math.abs(seconds);
	if (Number.isNaN(distance)) return at;
	if (distance < 30) return "now";
	const step = steps.find(({ below }) => distance < below) ?? steps[2];
	const count = Math.max(1, Math.floor(distance / step.seconds));
	const length = `${count} ${step.unit === "days" && count === 1 ? "day" : step.unit}`;
	return seconds < 0 ? `in ${length}` : `${length} ago`;
}
