import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Problem } from "../../components/problem.tsx";
import { visibilities } from "./wishes-form.tsx";

type ImportVideoProps = { isOpen: boolean; onClose: () => void };

/** Asks for an address, and has the service fetch the video from it. */
export function ImportVideo({ isOpen, onClose }: ImportVideoProps) {
	return (
		<Dialog title="Import a video" isOpen={isOpen} onClose={onClose}>
			<ImportForm onClose={onClose} />
		</Dialog>
	);
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

function ImportForm({ onClose }: Pick<ImportVideoProps, "onClose">) {
	const [address, setAddress] = useState("");
	const [title, setTitle] = useState("");
	const [reference, setReference] = useState("");
	const [visibility, setVisibility] = useState<(typeof visibilities)[number]["value"]>("default");
	const create = useAction("createImport", { changes: ["listImports"], onClose });
	const url = address.trim();
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (!isAddress(url) || create.isPending) return;
				create.mutate({
					body: {
						url,
						...(title.trim() !== "" && { title: title.trim() }),
						...(reference.trim() !== "" && { external_ref: reference.trim() }),
						...(visibility !== "default" && { visibility }),
					},
				});
			}}
		>
			<Field
				label="Address"
				type="url"
				value={address}
				onChange={setAddress}
				hint="Of the file itself, by http or https. A signature in it is kept secret."
				error={url === "" || isAddress(url) ? undefined : "Use an address such as https://files.example.com/a.mp4."}
				autoComplete="off"
				autoFocus
			/>
			<Field label="Title" value={title} onChange={setTitle} hint="You may leave it out." autoComplete="off" />
			<Field
				label={
					<>
						Name <code className="name">external_ref</code>
					</>
				}
				value={reference}
				onChange={setReference}
				hint="By which your program knows the video. You may leave it out."
				autoComplete="off"
			/>
			<Choice label="Who may watch" value={visibility} onChange={setVisibility} options={visibilities} />
			<Problem error={create.error} />
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" isPending={create.isPending} isDisabled={!isAddress(url)}>
					Import
				</Button>
			</DialogActions>
		</form>
	);
}
