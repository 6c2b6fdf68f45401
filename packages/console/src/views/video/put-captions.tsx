import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { FileField, useChosenFile } from "../../components/file-field.tsx";
import { Problem } from "../../components/problem.tsx";

type PutCaptionsProps = { id: string; isOpen: boolean; onClose: () => void };

/** Takes a file of captions and their language, and sends it. */
export function PutCaptions({ isOpen, onClose, id }: PutCaptionsProps) {
	return (
		<Dialog title="Add captions" isOpen={isOpen} onClose={onClose}>
			<PutForm id={id} onClose={onClose} />
		</Dialog>
	);
}

/** What a change of captions may change of what the page shows. */
export const changedByCaptions = ["listCaptions", "getVideo", "getTranscript"] as const;

const languageForm = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/;
const mostBytes = 1_048_576;
const kinds = [
	{ value: "", label: "As before, or by the language" },
	{ value: "captions", label: "Captions: what is said and heard" },
	{ value: "subtitles", label: "Subtitles: a translation" },
] as const;
type Kind = (typeof kinds)[number]["value"];

function PutForm({ id, onClose }: Omit<PutCaptionsProps, "isOpen">) {
	const [language, setLanguage] = useState("");
	const [label, setLabel] = useState("");
	const [kind, setKind] = useState<Kind>("");
	const put = useAction("putCaptions", { changes: [...changedByCaptions], onClose });
	const chosen = useChosenFile(put.reset);
	const { file } = chosen;
	const isLanguage = languageForm.test(language);
	const isTooLarge = file !== null && file.size > mostBytes;
	const send = async () => {
		const query = { ...(label !== "" && { label }), ...(kind !== "" && { kind }) };
		const bytes = await chosen.read();
		if (bytes === null) return;
		let body: string;
		try {
			body = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		} catch {
			return chosen.refuse("The file is not in UTF-8. Save it so, and choose it again.");
		}
		put.mutate({ params: { id, language }, query, body });
	};
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (file && isLanguage && !isTooLarge && !put.isPending) void send();
			}}
		>
			<FileField
				label="File"
				accept=".vtt,.srt"
				hint="WebVTT or SubRip in UTF-8, up to 1 MiB."
				error={isTooLarge ? "The file is larger than 1 MiB." : undefined}
				chosen={chosen}
			/>
			<Field
				label="Language"
				value={language}
				onChange={setLanguage}
				hint="For example de or pt-BR. Captions that the video has in it are replaced, the transcript too."
				error={language === "" || isLanguage ? undefined : "Use a language tag, such as de or pt-BR."}
				autoComplete="off"
			/>
			<Field label="Label" value={label} onChange={setLabel} hint="What viewers choose by. Left empty: the language." />
			<Choice label="Kind" value={kind} onChange={setKind} options={kinds} />
			<Problem error={put.error} />
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button
					kind="primary"
					type="submit"
					isPending={put.isPending}
					isDisabled={file === null || !isLanguage || isTooLarge}
				>
					Add captions
				</Button>
			</DialogActions>
		</form>
	);
}
