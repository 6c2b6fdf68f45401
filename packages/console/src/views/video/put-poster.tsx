import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/choice.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { FileField, useChosenFile } from "../../components/file-field.tsx";
import { Problem } from "../../components/problem.tsx";
import { positionOf, secondsOf } from "./position.ts";
import { playerSeconds } from "./seek.ts";

type PutPosterProps = { id: string; isOpen: boolean; onClose: () => void };

/** Takes the moment of a frame, or a picture, and sends it. */
export function PutPoster({ isOpen, onClose, id }: PutPosterProps) {
	return (
		<Dialog title="Choose a poster" isOpen={isOpen} onClose={onClose}>
			<PutForm id={id} onClose={onClose} />
		</Dialog>
	);
}

/** What a change of the poster may change of what the page shows. */
export const changedByPoster = ["getVideoPoster", "getVideo"] as const;

const mostBytes = 5_000_000;

function PutForm({ id, onClose }: Omit<PutPosterProps, "isOpen">) {
	const [moment, setMoment] = useState(() => positionOf(playerSeconds()));
	const [preview, setPreview] = useState(false);
	const put = useAction("putPoster", { changes: [...changedByPoster], onClose });
	const chosen = useChosenFile(put.reset);
	const { file } = chosen;
	const seconds = secondsOf(moment);
	const isTooLarge = file !== null && file.size > mostBytes;
	const isReady = file === null ? seconds !== undefined : !isTooLarge;
	const send = async () => {
		if (file === null) return put.mutate({ params: { id }, body: { at_seconds: seconds ?? 0, preview } });
		const bytes = await chosen.read();
		if (bytes !== null) put.mutate({ params: { id }, body: new Uint8Array(bytes) });
	};
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (isReady && !put.isPending) void send();
			}}
		>
			<Field
				label="Moment"
				value={moment}
				onChange={setMoment}
				hint="Of the frame that is shown. At first, where the player of this page stands."
				error={seconds !== undefined || file !== null ? undefined : "Write it as 1:02.5."}
				isDisabled={file !== null}
				autoComplete="off"
			/>
			<Switch isSelected={preview && file === null} onChange={setPreview} isDisabled={file !== null}>
				Make a moving preview of the 3 s from there on as well
			</Switch>
			<FileField
				label="Or a picture of yours"
				accept="image/jpeg,image/png,image/webp"
				hint="A JPEG, PNG or WebP file, up to 5 MB. It is shown whole, in the video's shape."
				error={isTooLarge ? "The file is larger than 5 MB." : undefined}
				chosen={chosen}
			/>
			<Problem error={put.error} />
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" isPending={put.isPending} isDisabled={!isReady}>
					Use it as the poster
				</Button>
			</DialogActions>
		</form>
	);
}
