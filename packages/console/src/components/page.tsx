import { type ReactNode, useEffect, useRef } from "react";
import styles from "./page.module.css";

type PageProps = {
	/** The view's heading, and the title of the browser's tab. */
	title: string;
	/** What stands beside the title, such as a state. */
	beside?: ReactNode;
	/** The one primary action of the view, and quieter ones before it. */
	actions?: ReactNode;
	/** A link to where this page belongs. */
	back?: ReactNode;
	children: ReactNode;
};

/** A view's page. It names the tab, and takes the focus to its heading when the person comes from another view. */
export function Page({ title, beside, actions, back, children }: PageProps) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		document.title = `${title} · Reelmill`;
	}, [title]);
	useEffect(() => {
		if (isFirstPage) isFirstPage = false;
		else heading.current?.focus({ preventScroll: true });
	}, []);
	return (
		<div className={styles.page}>
			<header className={styles.head}>
				{back && <div className={styles.back}>{back}</div>}
				<div className={styles.title}>
					<h1 ref={heading} tabIndex={-1}>
						{title}
					</h1>
					{beside}
				</div>
				{actions && <div className="row">{actions}</div>}
			</header>
			{children}
		</div>
	);
}

/** A page that the browser has just loaded leaves the focus where the browser puts it. */
let isFirstPage = true;
