import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Problem } from "../../../components/problem.tsx";

type CreateProps = {
	isOpen: boolean;
	onClose: () => void;
	/** Called with the account and its secret, after the dialog has closed. */
	onCreated: (created: CallResult<"createServiceAccount">) => void;
};

/** Asks for the name of a new service account, and creates it. */
export function CreateServiceAccount(props: CreateProps) {
	return (
		<Dialog title="Create service account" isOpen={props.isOpen} onClose={props.onClose}>
			<CreateForm {...props} />
		</Dialog>
	);
}

function CreateForm({ onClose, onCreated }: CreateProps) {
	const [name, setName] = useState("");
	const create = useAction("createServiceAccount", { changes: ["listServiceAccounts"], onSuccess: onCreated });
	const close = () => {
		create.reset();
		onClose();
	};
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (name !== "" && !create.isPending) create.mutate({ body: { name } }, { onSuccess: close });
			}}
		>
			<Field
				label="Name"
				value={name}
				onChange={setName}
				hint="1 to 255 characters, such as the machine or the pool that will use it."
				autoComplete="off"
				autoFocus
			/>
			<Problem
				error={create.error}
				advice={isTaken(create.error) ? "Choose another name. A revoked account keeps its name." : undefined}
			/>
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" isPending={create.isPending} isDisabled={name === ""}>
					Create and show secret
				</Button>
			</DialogActions>
		</form>
	);
}

const isTaken = (error: unknown): boolean => (error as { code?: string } | null)?.code === "name_already_exists";
