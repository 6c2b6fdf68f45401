import type { CallResult } from "@reelmill/client";
import { type FormEvent, useState } from "react";
import { useAction } from "../../api/api.tsx";
import { useOvertaken } from "../../api/overtaken.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { Problem } from "../../components/problem.tsx";
import styles from "./edit-metadata.module.css";

type Pair = { readonly n: number; readonly key: string; readonly value: string };

/** As many values as a video can have. */
const most = 20;

/** Values have no order. */
const partOf = ({ title, values }: Pick<CallResult<"getVideoMetadata">, "title" | "values">) => [
	title,
	Object.entries(values).sort(),
];

/** Asks what the video is to be called, and for its values. */
export function EditMetadata({ metadata, onClose }: { metadata: CallResult<"getVideoMetadata">; onClose: () => void }) {
	const [title, setTitle] = useState(metadata.title ?? "");
	const [pairs, setPairs] = useState<readonly Pair[]>(() =>
		Object.entries(metadata.values).map(([key, value], n) => ({ n, key, value })),
	);
	const save = useAction("putVideoMetadata", { changes: ["getVideoMetadata", "listVideos"], onClose });
	const params = { id: metadata.video_id };
	const { isOvertaken, mayReplace } = useOvertaken("getVideoMetadata", { params }, metadata, partOf);
	const change = (n: number, changed: Partial<Pair>) =>
		setPairs(pairs.map((pair) => (pair.n === n ? { ...pair, ...changed } : pair)));
	const problemOf = ({ n, key }: Pair): string | undefined =>
		pairs.some((other) => other.n < n && other.key === key && key !== "") ? "This name is there already." : undefined;
	const isWrong = pairs.some((pair) => problemOf(pair) !== undefined);
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		const named = pairs.filter(({ key }) => key !== "");
		const values = Object.fromEntries(named.map(({ key, value }) => [key, value]));
		const body = { title: title.trim() === "" ? null : title.trim(), values };
		if (!isWrong && !save.isPending && (await mayReplace(partOf(body)))) save.mutate({ params, body });
	};
	return (
		<Dialog title="Title and values" isOpen onClose={onClose} isHeld>
			<form className="stack" onSubmit={(event) => void submit(event)}>
				<Field
					label="Title"
					value={title}
					onChange={setTitle}
					hint="What people call the video. The list finds it by its beginning."
					autoComplete="off"
					autoFocus
				/>
				{pairs.map((pair) => (
					<div key={pair.n} className={styles.pair}>
						<Field
							label="Name of the value"
							placeholder="Name"
							isLabelHidden
							value={pair.key}
							onChange={(key) => change(pair.n, { key })}
							error={problemOf(pair)}
							autoComplete="off"
						/>
						<Field
							label={`Value of ${pair.key || "the new name"}`}
							placeholder="Value"
							isLabelHidden
							value={pair.value}
							onChange={(value) => change(pair.n, { value })}
							autoComplete="off"
						/>
						<Button
							kind="quiet"
							size="small"
							aria-label={`Remove ${pair.key || "the new value"}`}
							onPress={() => setPairs(pairs.filter(({ n }) => n !== pair.n))}
						>
							Remove
						</Button>
					</div>
				))}
				{pairs.length < most && (
					<div>
						<Button
							size="small"
							onPress={() => setPairs([...pairs, { n: (pairs.at(-1)?.n ?? -1) + 1, key: "", value: "" }])}
						>
							Add a value
						</Button>
					</div>
				)}
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
