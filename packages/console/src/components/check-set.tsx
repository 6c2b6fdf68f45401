import { type ReactNode, useId } from "react";
import styles from "./check-set.module.css";

type CheckSetProps = {
	label: ReactNode;
	options: readonly string[];
	value: readonly string[];
	onChange: (value: string[]) => void;
	hint?: ReactNode;
	error?: string | undefined;
};

/** Some of a few values, each a box of the system's own. */
export function CheckSet({ label, options, value, onChange, hint, error }: CheckSetProps) {
	const id = useId();
	const toggle = (option: string, isOn: boolean) =>
		onChange(options.filter((each) => (each === option ? isOn : value.includes(each))));
	return (
		<fieldset className={styles.set} aria-describedby={id}>
			<legend>{label}</legend>
			<div className="row">
				{options.map((option) => (
					<label key={option} className={styles.option}>
						<input
							type="checkbox"
							checked={value.includes(option)}
							onChange={(event) => toggle(option, event.target.checked)}
						/>
						{option}
					</label>
				))}
			</div>
			<div id={id}>
				{hint && <div className="muted small">{hint}</div>}
				{error !== undefined && <div className={styles.error}>{error}</div>}
			</div>
		</fieldset>
	);
}
