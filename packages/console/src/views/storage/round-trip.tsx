import { isReelmillError } from "@reelmill/client";
import type { StorageCheck, StorageVerification } from "@reelmill/contracts";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";
import { Problem } from "../../components/problem.tsx";
import { formatDuration } from "../../format/amounts.ts";
import styles from "./round-trip.module.css";

type Verifying = {
	readonly isPending: boolean;
	readonly data: StorageVerification | undefined;
	readonly error: Error | null;
};

const names: Readonly<Record<StorageCheck["step"], string>> = {
	connect: "Reach the server",
	write: "Write an object and an upload",
	read: "Read them back",
	presign: "Fetch them by presigned addresses",
	delete: "List and delete them",
};
const waiting = Object.keys(names).map((step) => ({
	step: step as StorageCheck["step"],
	state: "not_reached" as const,
	duration_ms: 0,
}));

/**
 * The steps of a round trip as they went; where one failed, the provider's words, what they mean, and what to do. One
 * answer tells all steps, and is no stream: a round trip takes less than a second as a rule, and 8 s at most.
 */
export function RoundTrip({ verify, onTryAgain }: { verify: Verifying; onTryAgain: () => void }) {
	const { isPending, data, error } = verify;
	const trip = useRef<HTMLDivElement>(null);
	// The form is longer than a screen, and what came of it stands below.
	useEffect(() => {
		if (isPending || data !== undefined || error !== null) trip.current?.scrollIntoView({ block: "nearest" });
	}, [isPending, data, error]);
	if (!isPending && data === undefined && error === null) return null;
	const failure = isReelmillError(error, "storage_verification_failed") ? error : null;
	if (error !== null && failure === null) return <Problem error={error} onRetry={onTryAgain} />;
	const checks = isPending ? waiting : (failure?.extras.checks ?? data?.checks ?? []);
	return (
		<div ref={trip} className={styles.trip}>
			<p role="status">
				{isPending
					? "Writing 64 bytes and reading them back…"
					: failure
						? `It could not ${names[failure.extras.step].toLowerCase()}. Nothing was changed.`
						: "The storage passed every check."}
			</p>
			<ol className={styles.steps} aria-label="Steps" aria-busy={isPending}>
				{checks.map((check) => (
					<Step key={check.step} {...check} isPending={isPending} />
				))}
			</ol>
			{failure && (
				<div className={styles.failure}>
					{failure.extras.provider_said !== null && (
						<p>
							The provider says <code>{failure.extras.provider_said}</code>
						</p>
					)}
					<Problem
						error={failure}
						advice={
							<span className={styles.advice}>
								{failure.extras.advice.map((line) => (
									<span key={line}>{line}</span>
								))}
							</span>
						}
						onRetry={onTryAgain}
					/>
				</div>
			)}
			{data && data.warnings.length > 0 && (
				<div className={styles.warnings}>
					<p>It works, but check who else can read it:</p>
					<ul>
						{data.advice.map((line) => (
							<li key={line}>{line}</li>
						))}
					</ul>
					<Button size="small" onPress={onTryAgain}>
						Try again
					</Button>
				</div>
			)}
		</div>
	);
}

const shapes = { passed: CircleCheck, failed: CircleX, not_reached: CircleDashed } as const;
const words = { passed: "passed", failed: "failed", not_reached: "not reached" } as const;

function Step({ step, state, duration_ms, isPending }: StorageCheck & { isPending: boolean }) {
	const Shape = shapes[state];
	return (
		<li className={styles.step} data-state={state}>
			<Shape size={16} aria-hidden />
			<span>{names[step]}</span>
			<span className="muted small numeric">
				{isPending ? "waiting" : words[state]}
				{duration_ms > 0 && ` in ${formatDuration(duration_ms / 1000)}`}
			</span>
		</li>
	);
}
