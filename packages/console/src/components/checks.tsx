import { type ReactNode, useState } from "react";
import styles from "./checks.module.css";
import { Field } from "./field.tsx";

type ChecksProps = {
	label: string;
	options: readonly { readonly value: string; readonly label: ReactNode; readonly text: string }[];
	selected: ReadonlySet<string>;
	onChange: (selected: ReadonlySet<string>) => void;
	hint?: ReactNode;
};

/** From so many options on, a field narrows them. */
const many = 8;

/** Any number of values, to be checked one by one. */
export function Checks({ label, options, selected, onChange, hint }: ChecksProps) {
	const [text, setText] = useState("");
	const shown = options.filter((option) => option.text.toLowerCase().includes(text.toLowerCase()));
	const toggle = (value: string) => {
		const next = new Set(selected);
		if (!next.delete(value)) next.add(value);
		onChange(next);
	};
	return (
		<fieldset className={styles.checks}>
			<legend>{label}</legend>
			{options.length >= many && (
				<Field label={`Find among ${options.length}`} value={text} onChange={setText} type="search" />
			)}
			<div className={styles.list}>
				{shown.map(({ value, label: name }) => (
					<label key={value}>
						<input type="checkbox" checked={selected.has(value)} onChange={() => toggle(value)} />
						<span>{name}</span>
					</label>
				))}
				{shown.length === 0 && <span className="muted">none</span>}
			</div>
			{hint && <p className="muted small">{hint}</p>}
		</fieldset>
	);
}
