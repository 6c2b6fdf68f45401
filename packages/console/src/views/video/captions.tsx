import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useAction, useApi, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { Table } from "../../components/table.tsx";
import { changedByCaptions, PutCaptions } from "./put-captions.tsx";

type Track = CallResult<"listCaptions">["data"][number];

const sources = { file: "The file", transcript: "The transcriber", upload: "You" } as const;

/** The captions that players offer: to be corrected, kept as a file, and taken away. */
export function Captions({ id }: { id: string }) {
	const query = useCall("listCaptions", { params: { id } });
	const [isAdding, setIsAdding] = useState(false);
	return (
		<Panel title="Captions" actions={<Button onPress={() => setIsAdding(true)}>Add captions</Button>}>
			<Loaded query={query}>
				{({ data }) =>
					data.length === 0 ? (
						<p className="muted">None. A file of WebVTT or SubRip gives viewers some, without another encode.</p>
					) : (
						<Table
							label="Captions of this video"
							rows={data}
							rowKey={({ url }) => url}
							columns={[
								{ name: "Label", cell: ({ label, language }) => <bdi lang={language}>{label}</bdi> },
								{ name: "Language", cell: ({ language }) => (language === "und" ? "Unknown" : language) },
								{ name: "Kind", cell: kindOf },
								{ name: "From", cell: ({ source }) => sources[source] },
								{ name: "Actions", isActions: true, cell: (track) => <TrackActions id={id} track={track} /> },
							]}
						/>
					)
				}
			</Loaded>
			<PutCaptions id={id} isOpen={isAdding} onClose={() => setIsAdding(false)} />
		</Panel>
	);
}

const kindOf = ({ kind, forced, transcript }: Track): string =>
	forced ? "Forced" : transcript ? "Transcript" : kind === "captions" ? "Captions" : "Subtitles";

function TrackActions({ id, track }: { id: string; track: Track }) {
	const { language, label, forced, transcript } = track;
	const { call } = useApi();
	const [isAsked, setIsAsked] = useState(false);
	const [error, setError] = useState<unknown>(null);
	const remove = useAction("deleteCaptions", { changes: [...changedByCaptions], onSuccess: () => setIsAsked(false) });
	const params = { id, language };
	// No call reads forced ones.
	if (forced) return null;
	const download = async () => {
		try {
			setError(null);
			save(await call("getVideoCaptions", { params }), `${id}.${language}.vtt`);
		} catch (failure) {
			setError(failure);
		}
	};
	return (
		<>
			<Problem error={error} />
			<span className="row">
				<Button size="small" aria-label={`Download ${label}`} onPress={() => void download()}>
					Download
				</Button>
				<Button size="small" kind="danger" aria-label={`Delete ${label}`} onPress={() => setIsAsked(true)}>
					Delete
				</Button>
			</span>
			<Confirm
				title={
					<>
						Delete the captions <bdi>{label}</bdi>?
					</>
				}
				verb="Delete the captions"
				isOpen={isAsked}
				isPending={remove.isPending}
				error={remove.error}
				onConfirm={() => remove.mutate({ params })}
				onClose={() => setIsAsked(false)}
			>
				<p>
					Players stop offering all captions in this language within a minute.
					{transcript ? " The video then has no transcript." : ""} Download them first if you may want them again.
				</p>
			</Confirm>
		</>
	);
}

/** Hands a text to the browser as a file. */
function save(text: string, name: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: "text/vtt" }));
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
