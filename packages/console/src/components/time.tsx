import { useEffect, useState } from "react";
import { formatDuration } from "../format/amounts.ts";
import { exactTime, relativeTime } from "../format/time.ts";

/**
 * A moment as "2 minutes ago", in the page's own time; the exact one, in the person's zone, on hover and for a screen
 * reader. `none` is shown for no moment (default: "never").
 */
export function Time({ at, none = "never" }: { at: string | null | undefined; none?: string }) {
	const now = useNow(at);
	if (at === null || at === undefined) return <span className="muted">{none}</span>;
	return (
		<time dateTime={at} title={exactTime(at)} className="numeric">
			{relativeTime(at, now)}
		</time>
	);
}

/** How long ago a moment was, as "41 s" or "3 h 20 min". `none` is shown for no moment. */
export function Age({ at, none }: { at: string | null; none: string }) {
	const now = useNow(at);
	if (at === null) return <span className="muted">{none}</span>;
	const seconds = Math.max(1, Math.floor((now - Date.parse(at)) / 1000));
	return (
		<time dateTime={at} title={exactTime(at)} className="numeric">
			{formatDuration(seconds < 60 ? seconds : seconds - (seconds % 60))}
		</time>
	);
}

/** The present, once a second while `at` is less than a minute away, then twice a minute. */
function useNow(at: string | null | undefined): number {
	const [now, setNow] = useState(() => Date.now());
	const near = at !== null && at !== undefined && Math.abs(now - Date.parse(at)) < 60_000;
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), near ? 1000 : 30_000);
		return () => clearInterval(timer);
	}, [near]);
	return now;
}
