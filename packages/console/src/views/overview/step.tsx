import { Circle, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Time } from "../../components/time.tsx";
import styles from "./first-steps.module.css";

type StepProps = {
	title: string;
	isDone: boolean;
	/** The next one to take is open; another one opens when it is asked for. */
	isNext: boolean;
	/** When it was taken, if that is known. */
	at: string | null;
	children: ReactNode;
};

/** One of the first steps: done or not, and how to take it. */
export function Step({ title, isDone, isNext, at, children }: StepProps) {
	const [asked, setAsked] = useState<boolean | null>(null);
	const isOpen = asked ?? isNext;
	const Mark = isDone ? CircleCheck : Circle;
	return (
		<li className={styles.step}>
			<span className={styles.mark} data-done={isDone || undefined}>
				<Mark size={18} role="img" aria-label={isDone ? "Done" : "Not yet"} />
			</span>
			<div className={styles.body}>
				<div className={styles.head}>
					<h3>{title}</h3>
					{at !== null && (
						<span className="muted small">
							<Time at={at} />
						</span>
					)}
					<span className={styles.push} />
					<Button
						kind="quiet"
						size="small"
						aria-expanded={isOpen}
						aria-label={`${isOpen ? "Hide" : "Show"} how: ${title}`}
						onPress={() => setAsked(!isOpen)}
					>
						{isOpen ? "Hide" : "Show how"}
					</Button>
				</div>
				{isOpen && children}
			</div>
		</li>
	);
}
