import type { ReactNode } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import styles from "./field.module.css";

type FieldProps = {
	label: ReactNode;
	value: string;
	onChange: (value: string) => void;
	/** What the value means, with its bounds and its default. */
	hint?: ReactNode;
	/** What is wrong with the value; it is said with the field. */
	error?: string | undefined;
	name?: string;
	type?: "text" | "password" | "email" | "url" | "search" | "number";
	placeholder?: string;
	autoComplete?: string;
	autoFocus?: boolean;
	isDisabled?: boolean;
	/** Shows the label to screen readers alone, as in a row of filters. */
	isLabelHidden?: boolean;
	isRequired?: boolean;
	/** Several lines of text. */
	multiline?: boolean;
	onBlur?: () => void;
};

/** A labelled text. The label, the hint and the error belong to the field for a screen reader as well. */
export function Field({ label, hint, error, multiline, placeholder, isLabelHidden, ...rest }: FieldProps) {
	const Control = multiline ? TextArea : Input;
	return (
		<AriaTextField {...rest} className={styles.field ?? ""} isInvalid={error !== undefined}>
			<Label {...(isLabelHidden && { className: "visually-hidden" })}>{label}</Label>
			<Control className={styles.input ?? ""} {...(placeholder === undefined ? {} : { placeholder })} />
			{hint && (
				<Text slot="description" className={styles.hint ?? ""}>
					{hint}
				</Text>
			)}
			<FieldError className={styles.error ?? ""}>{error}</FieldError>
		</AriaTextField>
	);
}
