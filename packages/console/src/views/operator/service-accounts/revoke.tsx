import type { CallResult } from "@reelmill/client";
import { useAction } from "../../../api/api.tsx";
import { Confirm } from "../../../components/confirm.tsx";

type RevokeProps = {
	/** The account; null while nothing is asked. */
	account: CallResult<"listServiceAccounts">["data"][number] | null;
	onClose: () => void;
};

/** Revokes a service account once its name was typed. */
export function RevokeServiceAccount({ account, onClose }: RevokeProps) {
	const revoke = useAction("revokeServiceAccount", { changes: ["listServiceAccounts"] });
	const close = () => {
		revoke.reset();
		onClose();
	};
	const name = account?.name ?? "";
	return (
		<Confirm
			title={
				<>
					Revoke <bdi>{name}</bdi>?
				</>
			}
			verb={`Revoke ${name}`}
			typed={name}
			isOpen={account !== null}
			isPending={revoke.isPending}
			error={revoke.error}
			onConfirm={() => account && revoke.mutate({ params: { id: account.id } }, { onSuccess: close })}
			onClose={close}
		>
			<p>Its workers can no longer sign in, and their tokens stop working within 2 seconds.</p>
			<p>Their jobs go back to the queue once their locks expire. This can't be undone.</p>
		</Confirm>
	);
}
