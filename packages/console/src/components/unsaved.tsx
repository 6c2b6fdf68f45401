import { useBlocker } from "@tanstack/react-router";
import { useUnfinished } from "../unfinished/use-unfinished.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

/** Asks before the person leaves changes that are not saved, for another view or by closing the page. */
export function Unsaved({ isChanged }: { isChanged: boolean }) {
	useUnfinished(isChanged);
	const { status, proceed, reset } = useBlocker({
		shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
		enableBeforeUnload: false,
		withResolver: true,
	});
	return (
		<Dialog role="alertdialog" title="Leave without saving?" isOpen={status === "blocked"} onClose={() => reset?.()}>
			<p>Your changes on this page are not saved yet.</p>
			<DialogActions>
				<Button kind="danger" onPress={() => proceed?.()}>
					Leave without saving
				</Button>
				<Button kind="primary" autoFocus onPress={() => reset?.()}>
					Stay here
				</Button>
			</DialogActions>
		</Dialog>
	);
}
