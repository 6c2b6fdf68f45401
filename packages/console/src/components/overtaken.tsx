import { TriangleAlert } from "lucide-react";
import styles from "./problem.module.css";

/** Says that saving would undo what somebody else saved. */
export const Overtaken = ({ isOvertaken }: { isOvertaken: boolean }) =>
	isOvertaken && (
		<div role="alert" className={styles.problem}>
			<TriangleAlert size={18} aria-hidden />
			<p className={styles.body}>
				Somebody else changed this since you opened it. Save again to put yours in its place, or cancel to see theirs.
			</p>
		</div>
	);
