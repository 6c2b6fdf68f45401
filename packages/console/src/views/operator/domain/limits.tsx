import type { CallResult } from "@reelmill/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { sessionQuery } from "../../../api/session.tsx";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Unsaved } from "../../../components/unsaved.tsx";
import { slugProblem } from "../domains/slug.ts";
import { Difference } from "./difference.tsx";
import styles from "./domain.module.css";
import { type Draft, draftOf, type LimitName, limitFields, patchOf, problemsOf, sandboxSlug } from "./draft.ts";

type Domain = CallResult<"getAdminDomain">;

/** The slug and the limits: each with what it bounds, and before they are saved what changes. */
export function Limits({ domain }: { domain: Domain }) {
	const [draft, setDraft] = useState<Draft>(() => draftOf(domain));
	const queryClient = useQueryClient();
	const save = useAction("updateDomain", {
		changes: ["getAdminDomain", "listDomains", "listAudit"],
		onSuccess: () => void queryClient.invalidateQueries(sessionQuery),
	});
	const problems = problemsOf(draft);
	const patch = patchOf(domain, draft);
	const isWrong = slugProblem(draft.slug) !== undefined || Object.keys(problems).length > 0;
	const isSandbox = domain.slug === sandboxSlug;
	return (
		<Panel title="Slug and limits">
			<form
				className={styles.form}
				onSubmit={(event) => {
					event.preventDefault();
					if (patch !== null && !isWrong) save.mutate({ params: { id: domain.id }, body: patch });
				}}
			>
				<Field
					label="Slug"
					value={draft.slug}
					onChange={(slug) => setDraft({ ...draft, slug })}
					hint={
						isSandbox ? "The sandbox keeps its slug." : "Links to the domain's pages with the old slug stop working."
					}
					error={slugProblem(draft.slug)}
					isDisabled={isSandbox}
					autoComplete="off"
				/>
				{(Object.keys(limitFields) as LimitName[]).map((name) => (
					<Field
						key={name}
						label={
							<>
								{limitFields[name].label} <code className="name">{name}</code>
							</>
						}
						value={draft[name]}
						onChange={(value) => setDraft({ ...draft, [name]: value })}
						hint={limitFields[name].hint}
						error={problems[name]}
						autoComplete="off"
					/>
				))}
				{patch !== null && !isWrong && <Difference domain={domain} patch={patch} />}
				<Unsaved isChanged={patch !== null} />
				<Problem error={save.error} />
				<div className="row">
					<Button kind="primary" type="submit" isPending={save.isPending} isDisabled={patch === null || isWrong}>
						Save changes
					</Button>
					{patch !== null && <Button onPress={() => setDraft(draftOf(domain))}>Undo changes</Button>}
				</div>
			</form>
		</Panel>
	);
}
