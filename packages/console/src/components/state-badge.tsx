import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./state-badge.module.css";

export type Tone = "good" | "busy" | "warn" | "bad" | "idle";

const shapes: Record<Tone, LucideIcon> = {
	good: CircleCheck,
	busy: LoaderCircle,
	warn: CircleAlert,
	bad: CircleX,
	idle: CircleDashed,
};

/** The tone of each state that the contract names; one that is not here is `idle`. */
const tones: Readonly<Record<string, Tone>> = {
	available: "good",
	delivered: "good",
	active: "good",
	ok: "good",
	pending_upload: "busy",
	uploaded: "busy",
	queued: "busy",
	locked: "busy",
	encoding: "busy",
	processing: "busy",
	pending: "busy",
	delivering: "busy",
	running: "busy",
	retrying: "warn",
	expired: "warn",
	disabled: "warn",
	failed: "bad",
	timeout: "bad",
	dead: "bad",
	revoked: "bad",
	cancelled: "idle",
};

/** A state as a word, with a shape and a colour of its own. `children` replace the word, such as "encoding 61 %". */
export function StateBadge({ state, tone, children }: { state: string; tone?: Tone; children?: ReactNode }) {
	const shown = tone ?? tones[state] ?? "idle";
	const Shape = shapes[shown];
	return (
		<span className={styles.badge} data-tone={shown}>
			<Shape size={12} aria-hidden />
			{children ?? state.replaceAll("_", " ")}
		</span>
	);
}
