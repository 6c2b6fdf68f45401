import { type ReactNode, useId } from "react";
import { Switch as AriaSwitch } from "react-aria-components/Switch";
import styles from "./field.module.css";

type ChoiceProps<Value extends string> = {
	label: ReactNode;
	value: Value;
	onChange: (value: Value) => void;
	options: readonly { readonly value: Value; readonly label: string }[];
	hint?: ReactNode;
	isDisabled?: boolean;
	/** Shows the label to screen readers alone, as in a row of filters. */
	isLabelHidden?: boolean;
};

/** One of a few values, by the system's own list: it works the same with a keyboard, on a phone and for a reader. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
	const { label, value, onChange, options, hint, isDisabled, isLabelHidden } = props;
	const id = useId();
	return (
		<div className={styles.field}>
			<label htmlFor={id} className={isLabelHidden ? "visually-hidden" : undefined}>
				{label}
			</label>
			<select
				id={id}
				className={styles.input}
				value={value}
				disabled={isDisabled}
				onChange={(event) => onChange(event.target.value as Value)}
				{...(hint ? { "aria-describedby": `${id}-hint` } : {})}
			>
				{options.map((option) => (
					<option key={option.value} value={option.value}>
						{option.label}
					</option>
				))}
			</select>
			{hint && (
				<span id={`${id}-hint`} className={styles.hint}>
					{hint}
				</span>
			)}
		</div>
	);
}

type SwitchProps = {
	children: ReactNode;
	isSelected: boolean;
	onChange: (isSelected: boolean) => void;
	isDisabled?: boolean;
};

/** Something that is on or off. */
export function Switch({ children, ...rest }: SwitchProps) {
	return (
		<AriaSwitch {...rest} className={styles.switch ?? ""}>
			<span className={styles.track} />
			<span>{children}</span>
		</AriaSwitch>
	);
}
