import { Empty } from "../../../components/empty.tsx";

/** What stands where no job is. */
export const NoJobs = () => (
	<Empty title="Nothing to do">
		<p className="muted">A video comes here when its upload is complete, and goes when it is available.</p>
	</Empty>
);
