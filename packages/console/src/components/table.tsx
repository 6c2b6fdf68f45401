import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Problem } from "./problem.tsx";
import { Scrolling } from "./scrolling.tsx";
import styles from "./table.module.css";

export type Column<Row> = {
	readonly name: string;
	readonly cell: (row: Row) => ReactNode;
	/** Numbers stand at the right in figures of one width. */
	readonly numeric?: boolean;
	/** Left out on a phone. */
	readonly wide?: boolean;
};

type TableProps<Row> = {
	/** What the table holds, for screen readers. */
	label: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	rowKey: (row: Row) => string;
};

/** A table of the full width. What a row leads to is a link in its first cell. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
	return (
		<Scrolling label={label} className={styles.scroll}>
			<table className={styles.table}>
				<thead>
					<tr>
						{columns.map(({ name, numeric, wide }) => (
							<th key={name} scope="col" data-numeric={numeric || undefined} data-wide={wide || undefined}>
								{name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={rowKey(row)}>
							{columns.map(({ name, cell, numeric, wide }) => (
								<td key={name} data-numeric={numeric || undefined} data-wide={wide || undefined}>
									{cell(row)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</Scrolling>
	);
}

type MoreProps = {
	query: Pick<
		UseInfiniteQueryResult,
		"hasNextPage" | "isFetchingNextPage" | "fetchNextPage" | "isFetchNextPageError" | "error"
	>;
	/** How many are shown. */
	count: number;
};

/** Below a table of pages: how many are shown, and a button for the next page. */
export function More({ query, count }: MoreProps) {
	return (
		<div className={styles.more}>
			<span className="muted small numeric">
				{count} shown{query.hasNextPage ? "" : ", no more"}
			</span>
			{query.hasNextPage && (
				<Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
					Show older
				</Button>
			)}
			{query.isFetchNextPageError && <Problem error={query.error} />}
		</div>
	);
}
