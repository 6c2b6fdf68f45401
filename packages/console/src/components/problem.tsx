import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { explain } from "../api/errors.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import styles from "./problem.module.css";

type ProblemProps = {
	/** What was thrown; nothing is shown without one. */
	error: unknown;
	/** What to do, if the view knows better than the catalogue. */
	advice?: ReactNode;
	/** Offers to try again. */
	onRetry?: () => void;
};

/** An error where it belongs: what happened, what to do, and the request id to copy. A screen reader says it at once. */
export function Problem({ error, advice, onRetry }: ProblemProps) {
	if (error === null || error === undefined) return null;
	const { what, advice: known, code, requestId } = explain(error);
	return (
		<div role="alert" className={styles.problem}>
			<TriangleAlert size={18} aria-hidden />
			<div className={styles.body}>
				<p className={styles.what}>{what}</p>
				{(advice ?? known) && <p>{advice ?? known}</p>}
				{(code !== null || requestId !== null) && (
					<p className={styles.id}>
						{code !== null && <code>{code}</code>}
						{requestId !== null && (
							<>
								<span>
									request <code>{requestId}</code>
								</span>
								<CopyButton text={requestId} label="Copy request id" />
							</>
						)}
					</p>
				)}
				{onRetry && (
					<Button size="small" onPress={onRetry}>
						Try again
					</Button>
				)}
			</div>
		</div>
	);
}
