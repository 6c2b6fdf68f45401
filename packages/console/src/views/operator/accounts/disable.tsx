import { useAction } from "../../../api/api.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { type Account, nameOf } from "./person.tsx";

type DisableProps = {
	/** The account; null while nothing is asked. */
	account: Account | null;
	onClose: () => void;
};

/** Asks before an account is disabled, and says what ends. */
export function Disable({ account, onClose }: DisableProps) {
	const disable = useAction("disableConsoleAccount", { changes: ["listConsoleAccounts"] });
	const close = () => {
		disable.reset();
		onClose();
	};
	const name = account ? nameOf(account) : "";
	return (
		<Confirm
			title={
				<>
					Disable <bdi>{name}</bdi>?
				</>
			}
			verb={`Disable ${name}`}
			isOpen={account !== null}
			isPending={disable.isPending}
			error={disable.error}
			onConfirm={() => account && disable.mutate({ params: { id: account.id } }, { onSuccess: close })}
			onClose={close}
		>
			<p>Every session of this account ends within 2 seconds, and it can't sign in until it is enabled again.</p>
			{account?.issuer === null && <p>After that, neither the console secret nor a sign-in link opens the console.</p>}
		</Confirm>
	);
}
