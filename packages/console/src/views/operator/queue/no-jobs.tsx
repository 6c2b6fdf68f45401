import { Empty } from "../../../components/empty.tsx";

/** What stands where no job is. */
export const NoJobs = () => (
	<Empty title="Nothing to do">
		<p className="muted">Videos appear here once they are uploaded, and leave when they can be played.</p>
	</Empty>
);
