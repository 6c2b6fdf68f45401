import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { sessionQuery } from "../../../api/session.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Secret } from "../../../components/secret.tsx";
import { slugProblem } from "./slug.ts";

type CreateDomainProps = { isOpen: boolean; onClose: () => void };

/** Asks for the slug of a new domain, then shows its key this once. */
export function CreateDomain({ isOpen, onClose }: CreateDomainProps) {
	const queryClient = useQueryClient();
	const create = useAction("createDomain", {
		changes: ["listDomains", "listAudit"],
		onSuccess: () => void queryClient.invalidateQueries(sessionQuery),
	});
	const close = () => {
		create.reset();
		onClose();
	};
	return (
		<>
			<Dialog title="Create a domain" isOpen={isOpen && create.data === undefined} onClose={close}>
				<SlugForm
					isPending={create.isPending}
					error={create.error}
					onSubmit={(slug) => create.mutate({ body: { slug } })}
					onClose={close}
				/>
			</Dialog>
			<Secret title={`The key of ${create.data?.domain.slug}`} secret={create.data?.api_key ?? null} onClose={close}>
				<p>Hand it to the tenant, for their back end alone. The domain has the default limits until you change them.</p>
			</Secret>
		</>
	);
}

type SlugFormProps = {
	isPending: boolean;
	error: unknown;
	onSubmit: (slug: string) => void;
	onClose: () => void;
};

function SlugForm({ isPending, error, onSubmit, onClose }: SlugFormProps) {
	const [slug, setSlug] = useState("");
	const [isTried, setTried] = useState(false);
	const problem = slugProblem(slug);
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				setTried(true);
				if (problem === undefined) onSubmit(slug);
			}}
		>
			<Field
				label="Slug"
				value={slug}
				onChange={setSlug}
				hint="The tenant's name in addresses: 1 to 63 of a-z, 0-9 and -, such as acme."
				error={isTried ? problem : undefined}
				autoFocus
				autoComplete="off"
			/>
			<Problem error={error} />
			<DialogActions>
				<Button onPress={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" isPending={isPending}>
					Create the domain
				</Button>
			</DialogActions>
		</form>
	);
}
