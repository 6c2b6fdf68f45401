import { type ReactNode, useEffect } from "react";
import icon from "../icon.svg";
import styles from "./front-door.module.css";

/** A page of its own before the frame: signing in, and a server that does not answer. */
export function FrontDoor({ title, children }: { title: string; children: ReactNode }) {
	useEffect(() => {
		document.title = title === "Reelmill" ? title : `${title} · Reelmill`;
	}, [title]);
	return (
		<main className={styles.door}>
			<div className={styles.brand}>
				<img src={icon} alt="" width={24} height={24} />
				Reelmill
			</div>
			{title === "Reelmill" ? <h1 className="visually-hidden">{title}</h1> : <h1>{title}</h1>}
			{children}
		</main>
	);
}
