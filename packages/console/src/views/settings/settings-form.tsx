import { isReelmillError } from "@reelmill/client";
import { useForm, useStore } from "@tanstack/react-form";
import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Unsaved } from "../../components/unsaved.tsx";
import { ConfigControl } from "./config-control.tsx";
import { type Config, type ConfigField, configFields, faultOf } from "./config-fields.ts";
import { changesOf, draftOf, keyOf, meant, patchOf } from "./draft.ts";
import { SaveChanges } from "./save-changes.tsx";

const groups: readonly (readonly [title: string, belongs: (field: ConfigField) => boolean])[] = [
	["What is made of a video", ({ path }) => /^(renditions|outputs|transcript|moderation|default_outro)/.test(path)],
	["Who may watch", ({ path }) => /^(default_visibility|cors_)/.test(path)],
	["What may be uploaded", ({ path }) => /^max_/.test(path)],
];
const isInGroup = (field: ConfigField): boolean => groups.some(([, belongs]) => belongs(field));
const others = (field: ConfigField): boolean => !isInGroup(field);

/** The form over the contract's schema. What changed is shown before it is saved, and alone is sent. */
export function SettingsForm({ config, onSaved }: { config: Config; onSaved: (config: Config) => void }) {
	const [base] = useState(config);
	const [isAsking, setAsking] = useState(false);
	const save = useAction("updateDomainConfig", {
		changes: ["getDomain"],
		onSuccess: (domain) => onSaved(domain.config),
	});
	const form = useForm({ defaultValues: draftOf(base), onSubmit: () => setAsking(true) });
	const draft = useStore(form.store, ({ values }) => values);
	const changes = changesOf(base, draft);
	const told = toldOf(save.error);
	return (
		<form
			className="parts"
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void form.handleSubmit();
			}}
		>
			{[...groups, ["More", others] as const].map(([title, belongs]) => {
				const isSwitch = ({ kind }: ConfigField) => Number(kind === "switch");
				const fields = configFields.filter(belongs).toSorted((one, other) => isSwitch(one) - isSwitch(other));
				if (fields.length === 0) return null;
				return (
					<Panel key={title} title={title}>
						<div className="fields">
							{fields.map((field) => (
								<form.Field
									key={field.path}
									name={keyOf(field)}
									validators={{ onChange: ({ value }) => faultOf(field.path, meant(field, value)) }}
								>
									{({ state: { value, meta }, handleChange, handleBlur }) => (
										<ConfigControl
											field={field}
											value={value}
											error={told?.field === field.path ? told.message : meta.errors.join("; ") || undefined}
											onChange={(next) => {
												save.reset();
												handleChange(next);
											}}
											onBlur={handleBlur}
										/>
									)}
								</form.Field>
							))}
						</div>
					</Panel>
				);
			})}
			<div className="row">
				<Button kind="primary" type="submit" isDisabled={changes.length === 0}>
					{changes.length === 0
						? "Nothing to save"
						: `Review ${changes.length} ${changes.length === 1 ? "change" : "changes"}`}
				</Button>
				{changes.length > 0 && <Button onPress={() => form.reset()}>Discard changes</Button>}
			</div>
			<Unsaved isChanged={changes.length > 0} />
			<SaveChanges
				changes={changes}
				isOpen={isAsking && told === null}
				isPending={save.isPending}
				error={save.error}
				onSave={() => save.mutate({ body: patchOf(changes) })}
				onClose={() => {
					setAsking(false);
					save.reset();
				}}
			/>
		</form>
	);
}

/** The field that the server refused, if it named one of the form's. */
function toldOf(error: unknown): { field: string; message: string } | null {
	if (!isReelmillError(error, "validation_error")) return null;
	const [, field = "", message = ""] = /^([\w.]+): (.*)$/s.exec(error.message) ?? [];
	const known = configFields.find(({ path }) => field === path || field.startsWith(`${path}.`));
	return known === undefined ? null : { field: known.path, message };
}
