import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./copy.module.css";
import { Scrolling } from "./scrolling.tsx";

type CopyButtonProps = {
	text: string;
	/** What a screen reader says of the button, and the tip of a mouse (default: "Copy"). */
	label?: string;
	/** Called after the text was copied. */
	onCopied?: () => void;
};

/** Returns what copies a text, and whether it was copied in the last two seconds. */
export function useCopy(text: string, onCopied?: () => void): { copied: boolean; copy(): Promise<void> } {
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 2000);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = async () => {
		await navigator.clipboard.writeText(text);
		setCopied(true);
		onCopied?.();
	};
	return { copied, copy };
}

/** Copies a text, and shows for two seconds that it did. */
export function CopyButton({ text, label = "Copy", onCopied }: CopyButtonProps) {
	const { copied, copy } = useCopy(text, onCopied);
	return (
		<>
			<Button kind="quiet" size="small" square aria-label={copied ? "Copied" : label} onPress={copy}>
				{copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
			</Button>
			<span className="visually-hidden" aria-live="polite">
				{copied ? "Copied" : ""}
			</span>
		</>
	);
}

/** An id by its first characters, with the whole one on hover and to copy. */
export function Id({ id, label = "Copy id" }: { id: string; label?: string }) {
	return (
		<span className={styles.id}>
			<code title={id}>{id.length > 10 ? `${id.slice(0, 8)}…` : id}</code>
			<CopyButton text={id} label={label} />
		</span>
	);
}

/** Text to copy into a terminal or a file. A long line scrolls; it wraps if `wrap` is set. */
export function Code({
	text,
	label = "Copy",
	wrap = false,
	onCopied,
}: {
	text: string;
	label?: string;
	wrap?: boolean;
	onCopied?: () => void;
}) {
	return (
		<div className={`${styles.code} ${wrap ? styles.wrapped : ""}`}>
			<Scrolling label={label.replace(/^Copy ?/, "") || "Code"} className={styles.text}>
				<pre>{text}</pre>
			</Scrolling>
			<span>
				<CopyButton text={text} label={label} {...(onCopied ? { onCopied } : {})} />
			</span>
		</div>
	);
}
