import type { AuditAction } from "@reelmill/contracts/audit-actions";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../components/button.tsx";
import { Choice } from "../components/choice.tsx";
import { Field } from "../components/field.tsx";
import styles from "./filters.module.css";
import { actionOptions } from "./words.ts";

type FiltersProps = {
	actor: string | undefined;
	action: string | undefined;
	isShown?: (action: AuditAction) => boolean;
	/** Further filters. */
	children?: ReactNode;
};

/** The filters of a log; the URL holds them. */
export function Filters({ actor = "", action = "", isShown, children }: FiltersProps) {
	const navigate = useNavigate();
	const set = (search: Record<string, string | undefined>) =>
		void navigate({ to: ".", search: ((before: object) => ({ ...before, ...search })) as never });
	return (
		<search className={styles.filters}>
			<Choice
				label="Change"
				value={action as AuditAction | ""}
				onChange={(value) => set({ action: value || undefined })}
				options={actionOptions(isShown)}
			/>
			{children}
			{/* Another actor in the URL starts the field again. */}
			<Actor key={actor} actor={actor} onChange={(value) => set({ actor: value || undefined })} />
		</search>
	);
}

function Actor({ actor, onChange }: { actor: string; onChange: (actor: string) => void }) {
	const [text, setText] = useState(actor);
	return (
		<form
			className={styles.actor}
			onSubmit={(event) => {
				event.preventDefault();
				onChange(text.trim());
			}}
		>
			<Field label="By" value={text} onChange={setText} placeholder="E-mail, id or ...last4" autoComplete="off" />
			<Button type="submit">Filter</Button>
			{actor !== "" && <Button onPress={() => onChange("")}>Show everyone</Button>}
		</form>
	);
}
