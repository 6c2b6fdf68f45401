import { useEffect, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Progress } from "../../components/meter.tsx";
import { Problem } from "../../components/problem.tsx";
import { formatBytes } from "../../format/amounts.ts";
import styles from "./outros.module.css";
import { useOutroUpload } from "./use-outro-upload.ts";

type UploadOutroProps = { isOpen: boolean; taken: readonly string[]; onClose: () => void };

/** Takes a file and a slug, plays the file before it is sent, and sends it. */
export function UploadOutro({ isOpen, taken, onClose }: UploadOutroProps) {
	const [isSending, setSending] = useState(false);
	return (
		<Dialog title="Upload an outro" isOpen={isOpen} isHeld={isSending} onClose={onClose}>
			<UploadForm taken={taken} isSending={isSending} setSending={setSending} onClose={onClose} />
		</Dialog>
	);
}

const slugForm = /^[a-z0-9][a-z0-9_-]{0,63}$/;

type UploadFormProps = Omit<UploadOutroProps, "isOpen"> & {
	isSending: boolean;
	setSending: (isSending: boolean) => void;
};

function UploadForm({ taken, isSending, setSending, onClose }: UploadFormProps) {
	const [file, setFile] = useState<File | null>(null);
	const [slug, setSlug] = useState("");
	const [label, setLabel] = useState("");
	const { send, share, error } = useOutroUpload(onClose, setSending);
	const isSlug = slugForm.test(slug);
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (file && isSlug && !isSending) void send(file, slug, label);
			}}
		>
			<label className="stack">
				<b>File</b>
				<input type="file" accept="video/*" onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
			</label>
			{file && <LocalPreview file={file} />}
			<Field
				label="Slug"
				value={slug}
				onChange={setSlug}
				hint="Uploads name it by this (outro_slug)."
				error={slug === "" || isSlug ? undefined : "Use 1 to 64 lowercase letters, digits, - or _."}
				autoComplete="off"
			/>
			{taken.includes(slug) && <p className="muted">It replaces the outro with this slug once it is encoded.</p>}
			<Field label="Label" value={label} onChange={setLabel} hint="Only you see it. It never appears in a video." />
			{isSending && <Progress label="Sent" share={share} />}
			<Problem error={error} />
			<DialogActions>
				<Button onPress={onClose}>{isSending ? "Stop uploading" : "Cancel"}</Button>
				<Button kind="primary" type="submit" isPending={isSending} isDisabled={file === null || !isSlug}>
					{file === null ? "Upload" : `Upload ${formatBytes(file.size)}`}
				</Button>
			</DialogActions>
		</form>
	);
}

/** Plays a file of this machine, if the browser can. */
function LocalPreview({ file }: { file: File }) {
	const url = useMemo(() => URL.createObjectURL(file), [file]);
	useEffect(() => () => URL.revokeObjectURL(url), [url]);
	return <video src={url} controls muted className={styles.video} aria-label={`The file ${file.name}`} />;
}
