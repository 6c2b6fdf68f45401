import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatDuration } from "../../format/amounts.ts";
import { Preview } from "./preview.tsx";
import { UploadOutro } from "./upload-outro.tsx";

type Outro = CallResult<"listOutros">["data"][number];
const busy = (outros: readonly Outro[] = []) =>
	outros.some(({ state }) => state === "uploading" || state === "encoding");

/** The domain's outros. While one is on its way it reads again every 2 s. */
export function Outros() {
	const [everyFast, setFast] = useState(false);
	const query = useCall("listOutros", {}, { every: everyFast ? 2000 : 15_000 });
	const isBusy = busy(query.data?.data);
	if (isBusy !== everyFast) setFast(isBusy);
	const { data: domain } = useCall("getDomain", {});
	const standard = domain?.config.default_outro_slug ?? null;
	const [isAdding, setAdding] = useState(false);
	const [watched, setWatched] = useState<Outro | null>(null);
	const [doomed, setDoomed] = useState<Outro | null>(null);
	const add = (
		<Button kind="primary" onPress={() => setAdding(true)}>
			Upload an outro
		</Button>
	);
	return (
		<Page title="Outros" actions={add}>
			<Loaded query={query}>
				{({ data }) =>
					data.length === 0 ? (
						<Empty title="No outro yet">
							<p>
								An outro is a short clip at the end of each new video's MP4 file, for instance with your name and where
								to find you.
							</p>
						</Empty>
					) : (
						<Table
							label="Outros"
							rows={data}
							rowKey={({ slug }) => slug}
							columns={[
								{
									name: "Outro",
									cell: ({ slug, label }) => (
										<>
											<code>{slug}</code> {slug === standard && <span className="muted small">default</span>}
											{label && <div className="muted small">{label}</div>}
										</>
									),
								},
								{ name: "State", cell: (outro) => <State outro={outro} /> },
								{
									name: "Length",
									numeric: true,
									wide: true,
									cell: ({ duration_seconds: seconds }) => (seconds === null ? "–" : formatDuration(seconds)),
								},
								{ name: "Size", numeric: true, wide: true, cell: ({ file_size }) => formatBytes(file_size) },
								{ name: "Uploaded", numeric: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
								{
									name: "Actions",
									isActions: true,
									cell: (outro) => (
										<span className="row">
											<Button
												size="small"
												isDisabled={outro.serving_outro_id === null}
												aria-label={`Preview ${outro.slug}`}
												onPress={() => setWatched(outro)}
											>
												Preview
											</Button>
											<Button size="small" aria-label={`Delete ${outro.slug}`} onPress={() => setDoomed(outro)}>
												Delete
											</Button>
										</span>
									),
								},
							]}
						/>
					)
				}
			</Loaded>
			<UploadOutro
				isOpen={isAdding}
				taken={query.data?.data.map(({ slug }) => slug) ?? []}
				onClose={() => setAdding(false)}
			/>
			<Preview slug={watched?.slug ?? null} onClose={() => setWatched(null)} />
			<Delete key={doomed?.slug} outro={doomed} isDefault={doomed?.slug === standard} onClose={() => setDoomed(null)} />
		</Page>
	);
}

function State({ outro: { state, serving_outro_id: serving, failure_reason: reason, id } }: { outro: Outro }) {
	const isReplacing = serving !== null && serving !== id;
	return (
		<>
			<StateBadge state={state} {...(state === "uploading" ? { tone: "busy" as const } : {})} />
			{reason && <div className="muted small">{reason.replaceAll("_", " ")}</div>}
			{isReplacing && <div className="muted small">the earlier one is still in use</div>}
		</>
	);
}

function Delete({ outro, isDefault, onClose }: { outro: Outro | null; isDefault: boolean; onClose: () => void }) {
	const remove = useAction("deleteOutro", { changes: ["listOutros", "getDomain"], onClose });
	const slug = outro?.slug ?? "";
	return (
		<Confirm
			title={`Delete the outro ${slug}?`}
			verb={`Delete ${slug}`}
			typed={slug}
			isOpen={outro !== null}
			isPending={remove.isPending}
			error={remove.error}
			onConfirm={() => remove.mutate({ params: { slug } })}
			onClose={onClose}
		>
			<p>
				Its files are deleted at once. Finished videos keep their ending; videos that are still being processed are made
				without it.{isDefault && " It is the default: new videos will have no outro."}
			</p>
		</Confirm>
	);
}
