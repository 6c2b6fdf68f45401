/** Says that saving would undo what somebody else saved. */
export const Overtaken = ({ isOvertaken }: { isOvertaken: boolean }) =>
	isOvertaken && (
		<p role="alert">
			Somebody else changed this since you opened it. Save again to put yours in its place, or cancel to see theirs.
		</p>
	);
