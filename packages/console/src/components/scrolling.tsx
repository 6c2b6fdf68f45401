import type { ReactNode } from "react";

type ScrollingProps = {
	/** What it holds, for a screen reader. */
	label: string;
	className: string | undefined;
	children: ReactNode;
};

/** Something that may be wider than its place and then scrolls: by the arrow keys too, so the focus can go there. */
export function Scrolling({ label, className, children }: ScrollingProps) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: A fieldset is for fields, and a section would be a landmark.
		// biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard.
		<div role="group" aria-label={label} className={className} tabIndex={0}>
			{children}
		</div>
	);
}
