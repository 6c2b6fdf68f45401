import type { CallResult } from "@reelmill/client";
import { type FormEvent, useState } from "react";
import { useAction } from "../../api/api.tsx";
import { useOvertaken } from "../../api/overtaken.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { Problem } from "../../components/problem.tsx";
import styles from "./edit-chapters.module.css";
import { positionOf, secondsOf } from "./position.ts";
import { playerSeconds } from "./seek.ts";

/** What a change of chapters may change of what the page shows. */
export const changedByChapters = ["getVideoChapters", "getVideo"] as const;

type Row = { readonly n: number; readonly start: string; readonly title: string };
type EditChaptersProps = {
	id: string;
	opened: CallResult<"getVideoChapters">;
	onClose: () => void;
};

/** As many chapters as a video can have. */
const most = 200;

/** Asks for the chapters, each with its beginning and its title. They are sent in the order of their beginnings. */
export function EditChapters({ id, opened, onClose }: EditChaptersProps) {
	const { chapters } = opened;
	const [rows, setRows] = useState<readonly Row[]>(() =>
		chapters.length === 0
			? [{ n: 0, start: "0:00", title: "" }]
			: chapters.map(({ start_seconds: start, title }, n) => ({ n, start: positionOf(start), title })),
	);
	const save = useAction("putChapters", { changes: [...changedByChapters], onClose });
	const { isOvertaken, mayReplace } = useOvertaken(
		"getVideoChapters",
		{ params: { id } },
		opened,
		(now) => now.chapters,
	);
	const change = (n: number, changed: Partial<Row>) =>
		setRows(rows.map((row) => (row.n === n ? { ...row, ...changed } : row)));
	const problemOf = ({ n, start }: Row): string | undefined => {
		const seconds = secondsOf(start);
		if (seconds === undefined) return "Write it as 1:02.5.";
		return rows.some((other) => other.n < n && secondsOf(other.start) === seconds)
			? "Another one begins here."
			: undefined;
	};
	const isWrong = rows.length === 0 || rows.some((row) => problemOf(row) !== undefined || row.title.trim() === "");
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		const named = rows
			.map(({ start, title }) => ({ start_seconds: secondsOf(start) ?? 0, title: title.trim() }))
			.sort((a, b) => a.start_seconds - b.start_seconds);
		if (!isWrong && !save.isPending && (await mayReplace(named)))
			save.mutate({ params: { id }, body: { chapters: named } });
	};
	const add = () =>
		setRows([...rows, { n: (rows.at(-1)?.n ?? -1) + 1, start: positionOf(playerSeconds()), title: "" }]);
	return (
		<Dialog title="Chapters" isOpen onClose={onClose} isHeld>
			<form className="stack" onSubmit={(event) => void submit(event)}>
				{rows.map((row) => (
					<div key={row.n} className={styles.chapter}>
						<Field
							label={`Beginning of ${row.title || "the new chapter"}`}
							placeholder="1:02.5"
							isLabelHidden
							value={row.start}
							onChange={(start) => change(row.n, { start })}
							error={problemOf(row)}
							autoComplete="off"
						/>
						<Field
							label={`Title of the chapter at ${row.start}`}
							placeholder="Title"
							isLabelHidden
							value={row.title}
							onChange={(title) => change(row.n, { title })}
							autoComplete="off"
						/>
						<Button
							kind="quiet"
							size="small"
							aria-label={`Remove ${row.title || "the new chapter"}`}
							onPress={() => setRows(rows.filter(({ n }) => n !== row.n))}
						>
							Remove
						</Button>
					</div>
				))}
				{rows.length < most && (
					<div>
						<Button size="small" onPress={add}>
							Add a chapter
						</Button>
					</div>
				)}
				<p className="muted small">A new one begins where the player stands. Each lasts until the next one.</p>
				<Overtaken isOvertaken={isOvertaken} />
				<Problem error={save.error} />
				<DialogActions>
					<Button onPress={onClose}>Cancel</Button>
					<Button kind="primary" type="submit" isPending={save.isPending} isDisabled={isWrong}>
						Save
					</Button>
				</DialogActions>
			</form>
		</Dialog>
	);
}
