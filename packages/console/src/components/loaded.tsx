import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import styles from "./loaded.module.css";
import { Problem } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

type Query<Data> = Pick<
	UseQueryResult<Data>,
	"data" | "error" | "isFetching" | "isPlaceholderData" | "failureReason" | "refetch"
>;
type LoadedProps<Data> = {
	query: Query<Data>;
	children: (data: Data) => ReactNode;
	/** What stands there before the first answer (default: six lines). */
	skeleton?: ReactNode;
	advice?: ReactNode;
};

/**
 * Shows what a query read: a skeleton before the first answer, then the data, which stays if a later read fails. It is
 * dimmed if it belongs to other filters, or its successor takes longer than a second.
 */
export function Loaded<Data>({ query, children, skeleton, advice }: LoadedProps<Data>) {
	const slow = useSlow(query.isFetching && (query.isPlaceholderData || query.failureReason !== null));
	const problem = query.error !== null && (
		<div className={styles.problem}>
			<Problem error={query.error} advice={advice} onRetry={() => void query.refetch()} />
		</div>
	);
	if (query.data === undefined) return problem || (skeleton ?? <Skeleton />);
	return (
		<>
			{problem}
			<div className={`${styles.loaded} ${slow ? styles.old : ""}`} aria-busy={slow}>
				{children(query.data)}
			</div>
		</>
	);
}

/** Whether something has gone on for more than a second. */
function useSlow(isGoing: boolean): boolean {
	const [slow, setSlow] = useState(false);
	useEffect(() => {
		if (!isGoing) return;
		const timer = setTimeout(() => setSlow(true), 1000);
		return () => {
			clearTimeout(timer);
			setSlow(false);
		};
	}, [isGoing]);
	return slow;
}
