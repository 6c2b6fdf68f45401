import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Problem } from "./problem.tsx";

type ConfirmProps = {
	/** What is asked, such as "Delete acme?". A name that somebody chose stands in a `bdi`. */
	title: ReactNode;
	/** The verb on the button, such as "Delete acme". */
	verb: string;
	/** What goes with it, and for whom. */
	children: ReactNode;
	/** What must be typed before the button works, for what can't be undone. */
	typed?: string;
	isOpen: boolean;
	isPending: boolean;
	error: unknown;
	onConfirm: () => void;
	onClose: () => void;
};

/** Asks before something that can't be undone. It stays open while the change is made, and shows why it failed. */
export function Confirm(props: ConfirmProps) {
	return (
		<Dialog role="alertdialog" title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
			<ConfirmForm {...props} />
		</Dialog>
	);
}

function ConfirmForm({ verb, children, typed, isPending, error, onConfirm, onClose }: ConfirmProps) {
	const [text, setText] = useState("");
	const mayConfirm = typed === undefined || text === typed;
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (mayConfirm && !isPending) onConfirm();
			}}
		>
			<div className="stack">{children}</div>
			{typed !== undefined && (
				<Field
					label={
						<>
							Type <bdi>{typed}</bdi> to confirm
						</>
					}
					value={text}
					onChange={setText}
					autoFocus
					autoComplete="off"
				/>
			)}
			<Problem error={error} />
			<DialogActions>
				<Button onPress={onClose} autoFocus={typed === undefined}>
					Keep it as it is
				</Button>
				<Button kind="danger" type="submit" isPending={isPending} isDisabled={!mayConfirm}>
					{verb}
				</Button>
			</DialogActions>
		</form>
	);
}
