import { useState } from "react";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { changedByChapters, EditChapters } from "./edit-chapters.tsx";
import { positionOf } from "./position.ts";
import { seek } from "./seek.ts";

/** The chapters that players offer: to be named otherwise, and taken away. */
export function Chapters({ id }: { id: string }) {
	const params = { id };
	const query = useCall("getVideoChapters", { params });
	const [open, setOpen] = useState<"edit" | "delete" | null>(null);
	const close = () => setOpen(null);
	const remove = useAction("deleteChapters", {
		changes: [...changedByChapters],
		onSuccess: () => setOpen((now) => (now === "delete" ? null : now)),
	});
	const hasSome = query.data !== undefined && query.data.chapters.length > 0;
	return (
		<Panel
			title="Chapters"
			actions={
				query.data && (
					<>
						<Button onPress={() => setOpen("edit")}>{hasSome ? "Edit chapters" : "Add chapters"}</Button>
						{hasSome && (
							<Button kind="danger" onPress={() => setOpen("delete")}>
								Delete chapters
							</Button>
						)}
					</>
				)
			}
		>
			<Loaded query={query}>
				{({ chapters }) =>
					chapters.length === 0 ? (
						<p className="muted">None. With some, viewers see on the player's bar what comes when, and go there.</p>
					) : (
						<Table
							label="Chapters of this video"
							rows={chapters}
							rowKey={({ start_seconds: start }) => String(start)}
							columns={[
								{ name: "Title", cell: ({ title }) => <bdi>{title}</bdi> },
								{
									name: "Begins at",
									numeric: true,
									cell: ({ start_seconds: start }) => (
										<Button
											size="small"
											kind="quiet"
											aria-label={`Go to the chapter at ${positionOf(start)}`}
											onPress={() => seek(start)}
										>
											{positionOf(start)}
										</Button>
									),
								},
							]}
						/>
					)
				}
			</Loaded>
			{open === "edit" && query.data && <EditChapters id={id} opened={query.data} onClose={close} />}
			<Confirm
				title="Delete all chapters?"
				verb="Delete the chapters"
				isOpen={open === "delete"}
				isPending={remove.isPending}
				error={remove.error}
				onConfirm={() => remove.mutate({ params })}
				onClose={close}
			>
				<p>Players stop showing them within a minute.</p>
			</Confirm>
		</Panel>
	);
}
