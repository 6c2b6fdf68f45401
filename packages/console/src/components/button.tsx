import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import styles from "./button.module.css";

type Look = {
	/** `primary` is for the one thing that a view is about, `danger` for what can't be undone (default: "plain"). */
	kind?: "plain" | "primary" | "danger" | "quiet";
	size?: "small";
};

type ButtonProps = Look &
	Omit<AriaButtonProps, "className" | "children"> & {
		children: ReactNode;
		/** A button with nothing but an icon needs an `aria-label`. */
		square?: boolean;
	};

/**
 * A button with a verb on it. While `isPending` it takes no press and says that it is busy, but keeps the focus. React
 * Aria's own `isPending` leaves an image without a name in the page for some seconds.
 */
export function Button({ kind = "plain", size, square, isPending = false, onPress, type, ...rest }: ButtonProps) {
	return (
		<AriaButton
			{...rest}
			type={isPending ? "button" : (type ?? "button")}
			{...(isPending ? { "aria-disabled": true, "aria-busy": true } : {})}
			data-pending={isPending || undefined}
			{...(onPress && !isPending ? { onPress } : {})}
			className={styles.button ?? ""}
			data-kind={kind}
			data-size={size}
			data-square={square || undefined}
		/>
	);
}

function Anchor({ kind = "plain", size, ...rest }: Look & ComponentProps<"a">) {
	return <a {...rest} className={styles.button} data-kind={kind} data-size={size} />;
}

const RoutedAnchor = createLink(Anchor);

/** A link to another view that looks like a button. */
export const LinkButton: LinkComponent<typeof Anchor> = (props) => <RoutedAnchor {...props} />;
