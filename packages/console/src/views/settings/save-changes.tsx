import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Problem } from "../../components/problem.tsx";
import { Table } from "../../components/table.tsx";
import { SettingName } from "./config-control.tsx";
import { type Change, inWords } from "./draft.ts";

type SaveChangesProps = {
	changes: readonly Change[];
	isOpen: boolean;
	isPending: boolean;
	error: unknown;
	onSave: () => void;
	onClose: () => void;
};

/** What would change, before and after, and for whom. */
export function SaveChanges({ changes, isOpen, isPending, error, onSave, onClose }: SaveChangesProps) {
	return (
		<Dialog title="Save these changes?" isOpen={isOpen} onClose={onClose}>
			<Table
				label="What changes"
				rows={changes}
				rowKey={({ field }) => field.path}
				columns={[
					{ name: "Setting", cell: ({ field }) => <SettingName path={field.path} /> },
					{ name: "Now", cell: ({ field, before }) => <del>{inWords(field, before)}</del> },
					{ name: "Then", cell: ({ field, after }) => <ins>{inWords(field, after)}</ins> },
				]}
			/>
			<p className="muted">
				They apply to new uploads; existing videos stay as they are. Only the sites that may play (cors_origins) change
				for all videos at once.
			</p>
			<Problem error={error} />
			<DialogActions>
				<Button onPress={onClose}>Keep editing</Button>
				<Button kind="primary" isPending={isPending} onPress={onSave}>
					{changes.length === 1 ? "Save the change" : `Save ${changes.length} changes`}
				</Button>
			</DialogActions>
		</Dialog>
	);
}
