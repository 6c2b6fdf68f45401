import { useUnfinished } from "../unfinished/use-unfinished.ts";
import { Button } from "./button.tsx";
import { Code } from "./copy.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

type SecretProps = {
	/** What it is, such as "The new API key of acme". */
	title: string;
	/** Null while there is none to show. */
	secret: string | null;
	/** Where it belongs, and what ends when. */
	children?: React.ReactNode;
	onClose: () => void;
};

/** Shows a secret this once. It is in no cache of the page: closing the dialog forgets it, by its button alone. */
export function Secret({ title, secret, children, onClose }: SecretProps) {
	useUnfinished(secret !== null);
	return (
		<Dialog role="alertdialog" title={title} isOpen={secret !== null} isHeld onClose={onClose}>
			<p>Copy it now. It can't be shown again.</p>
			<Code text={secret ?? ""} label="Copy secret" wrap />
			{children}
			<DialogActions>
				<Button kind="primary" onPress={onClose}>
					I have saved it
				</Button>
			</DialogActions>
		</Dialog>
	);
}
