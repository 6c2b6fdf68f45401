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
	const slow = useGoesOn(query.isFetching && (query.isPlaceholderData || query.failureReason !== null), 1000);
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

const longestTogetherMilliseconds = 2000;

/**
 * Whether the parts of a view that begin with these reads are to be shown: once all were read, since one that came late
 * would push the others; after two seconds whatever came, so that one slow read hides no other.
 */
export function useTogether(queries: readonly Pick<UseQueryResult, "isFetched">[]): boolean {
	const areFetched = queries.every(({ isFetched }) => isFetched);
	const isLate = useGoesOn(!areFetched, longestTogetherMilliseconds);
	return areFetched || isLate;
}

/** Whether something has gone on for longer than so many milliseconds. */
function useGoesOn(isGoing: boolean, milliseconds: number): boolean {
	const [isLong, setLong] = useState(false);
	useEffect(() => {
		if (!isGoing) return;
		const timer = setTimeout(() => setLong(true), milliseconds);
		return () => {
			clearTimeout(timer);
			setLong(false);
		};
	}, [isGoing, milliseconds]);
	return isLong;
}
