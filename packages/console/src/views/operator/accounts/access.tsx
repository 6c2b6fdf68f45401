import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { useSession } from "../../../api/session.tsx";
import { Button } from "../../../components/button.tsx";
import { Checks } from "../../../components/checks.tsx";
import { Choice } from "../../../components/choice.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { Problem } from "../../../components/problem.tsx";
import { type Account, nameOf } from "./person.tsx";

type AccessProps = {
	/** The account; null while nothing is asked. */
	account: Account | null;
	onClose: () => void;
};

/** Changes what an account may do and see. */
export function Access({ account, onClose }: AccessProps) {
	return (
		<Dialog
			title={
				<>
					Access of <bdi>{account ? nameOf(account) : ""}</bdi>
				</>
			}
			isOpen={account !== null}
			onClose={onClose}
		>
			{account && <AccessForm account={account} onClose={onClose} />}
		</Dialog>
	);
}

function AccessForm({ account, onClose }: { account: Account; onClose: () => void }) {
	const { domains } = useSession();
	const [role, setRole] = useState(account.role);
	const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(account.domain_ids));
	const update = useAction("updateConsoleAccount", { changes: ["listConsoleAccounts"], onClose });
	const hasSame = selected.size === account.domain_ids.length && account.domain_ids.every((id) => selected.has(id));
	const body = {
		...(role === account.role ? {} : { role }),
		...(hasSame ? {} : { domain_ids: [...selected] }),
	};
	const isSame = Object.keys(body).length === 0;
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (!isSame && !update.isPending) update.mutate({ params: { id: account.id }, body });
			}}
		>
			<Choice
				label="Role"
				value={role}
				onChange={setRole}
				options={[
					{ value: "member", label: "Member: sees the domains below" },
					{ value: "admin", label: "Admin: sees every domain and the installation" },
				]}
				hint="Only verified addresses in REELMILL_CONSOLE_ADMINS can be admins."
			/>
			{role === "member" && (
				<Checks
					label="Domains"
					options={domains.map(({ id, slug }) => ({ value: id, label: slug, text: slug }))}
					selected={selected}
					onChange={setSelected}
				/>
			)}
			<p className="muted small">A change signs this person out everywhere within 2 seconds.</p>
			<Problem error={update.error} advice="" />
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" isPending={update.isPending} isDisabled={isSame}>
					Change access
				</Button>
			</DialogActions>
		</form>
	);
}
