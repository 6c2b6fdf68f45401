import { CheckSet } from "../../components/check-set.tsx";
import { Choice, Switch } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import type { ConfigField } from "./config-fields.ts";
import { configWords } from "./config-words.ts";
import { inWords } from "./draft.ts";

type ConfigControlProps = {
	field: ConfigField;
	value: unknown;
	error: string | undefined;
	onChange: (value: unknown) => void;
	onBlur: () => void;
};

/** The control for one field, with its meaning, its bounds and its default. */
export function ConfigControl({ field, value, error, onChange, onBlur }: ConfigControlProps) {
	const { path, kind, description, bounds, options } = field;
	const fallback = `default: ${inWords(field, field.fallback)}`;
	const words = configWords[path];
	const label = <SettingName path={path} />;
	const hint = `${words?.hint ?? description} ${sentence([bounds, fallback].filter((text) => text !== "").join("; "))}`;
	if (kind === "switch")
		return (
			<div>
				<Switch isSelected={value === true} onChange={onChange}>
					{label}
					<br />
					<span className="muted small">{hint}</span>
				</Switch>
			</div>
		);
	if (kind === "choice") {
		const choices = options.map((option) => ({ value: option, label: option }));
		return <Choice label={label} value={String(value)} onChange={onChange} options={choices} hint={hint} />;
	}
	if (kind === "set")
		return (
			<CheckSet
				label={label}
				options={options}
				value={value as string[]}
				onChange={onChange}
				hint={hint}
				error={error}
			/>
		);
	return (
		<Field
			label={label}
			name={path}
			value={String(value)}
			onChange={onChange}
			onBlur={onBlur}
			hint={hint}
			error={error}
			multiline={kind === "lines"}
			autoComplete="off"
		/>
	);
}

/** What people call a setting, with its name in the API beside it. */
export const SettingName = ({ path }: { path: string }) => {
	const label = configWords[path]?.label;
	return label === undefined ? (
		<span className="label">{path}</span>
	) : (
		<>
			<span className="label">{label}</span> <code className="name">{path}</code>
		</>
	);
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
