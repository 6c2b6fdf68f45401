import type { CallResult } from "@reelmill/client";
import { useAction } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { Problem } from "../../../components/problem.tsx";

type RotateProps = {
	/** The account; null while nothing is asked. */
	account: CallResult<"listServiceAccounts">["data"][number] | null;
	onClose: () => void;
	/** Called with the new secret, after the dialog has closed. */
	onRotated: (rotated: CallResult<"rotateServiceAccount">) => void;
};

/** Says what a new secret means to the workers that have the old one, and makes it. */
export function RotateServiceAccount({ account, onClose, onRotated }: RotateProps) {
	const rotate = useAction("rotateServiceAccount", { changes: ["listServiceAccounts"], onSuccess: onRotated });
	const close = () => {
		rotate.reset();
		onClose();
	};
	return (
		<Dialog
			title={
				<>
					Rotate the secret of <bdi>{account?.name ?? ""}</bdi>?
				</>
			}
			isOpen={account !== null}
			onClose={close}
		>
			<p>
				You see the new secret once. The old one keeps working for an hour, so you have time to give every worker the
				new one. Running jobs continue.
			</p>
			<Problem error={rotate.error} />
			<DialogActions>
				<Button onPress={close}>Cancel</Button>
				<Button
					kind="primary"
					autoFocus
					isPending={rotate.isPending}
					onPress={() => account && rotate.mutate({ params: { id: account.id } }, { onSuccess: close })}
				>
					Rotate and show secret
				</Button>
			</DialogActions>
		</Dialog>
	);
}
