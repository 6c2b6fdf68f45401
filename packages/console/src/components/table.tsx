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
	/** Left out of a card, and where the table has little room; `"most"` where it hasn't much (default: never). */
	readonly wide?: boolean | "most";
	/** Says by itself what it is: a card shows it without its name (default: false). */
	readonly isPlain?: boolean;
	/** What can be done with a row: no name stands above it. */
	readonly isActions?: boolean;
};

type TableProps<Row> = {
	/** What the table holds, for screen readers. */
	label: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	rowKey: (row: Row) => string;
	/** The link in a row's first cell takes presses anywhere on the row (default: false). */
	isLinked?: boolean;
};

const look = ({ numeric, wide, isActions, isPlain }: Column<never>) => ({
	"data-numeric": numeric || undefined,
	"data-wide": wide === true ? "some" : wide || undefined,
	"data-actions": isActions || undefined,
	"data-plain": isActions || isPlain || undefined,
});

/**
 * A table of the full width. What a row leads to is a link in its first cell. On a phone each row is a card: the first
 * cell is its title, and the others have their names before them.
 */
export function Table<Row>({ label, columns, rows, rowKey, isLinked }: TableProps<Row>) {
	return (
		<Scrolling label={label} className={styles.scroll}>
			<table className={styles.table} data-linked={isLinked || undefined}>
				<thead>
					<tr>
						{columns.map((column) => (
							<th key={column.name} scope="col" {...look(column)}>
								{column.isActions ? <span className="visually-hidden">{column.name}</span> : column.name}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={rowKey(row)}>
							{columns.map((column) => (
								<td key={column.name} data-name={column.name} {...look(column)}>
									{column.cell(row)}
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
			<span className="muted small numeric">{query.hasNextPage ? `${count} shown` : `All ${count} shown`}</span>
			{query.hasNextPage && (
				<Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
					Show older
				</Button>
			)}
			{query.isFetchNextPageError && <Problem error={query.error} />}
		</div>
	);
}
