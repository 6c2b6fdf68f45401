import { useEffect } from "react";
import { Button } from "../components/button.tsx";
import { Problem } from "../components/problem.tsx";
import { reloadPage } from "../unfinished/unfinished.ts";
import { PartMissing } from "./load-part.ts";
import { reloadFor, wasReloadedFor } from "./new-version.ts";

type ViewFailedProps = {
	error: unknown;
	/** Tries again (default: loads the page again). */
	onRetry?: () => void;
};

/** What stands in a view's place if its code failed. If a new version is the reason, the page is loaded again, once. */
export function ViewFailed({ error, onRetry = reloadPage }: ViewFailedProps) {
	const version = error instanceof PartMissing && !wasReloadedFor(error.version) ? error.version : null;
	useEffect(() => (version === null ? undefined : reloadFor(version)), [version]);
	if (version === null)
		return <Problem error={error} advice="Try again. If it stays, reload the page." onRetry={onRetry} />;
	return (
		<div role="status" className="stack">
			<p>
				There is a new version of this page. It loads by itself once your uploads are finished and no chosen file waits.
			</p>
			<div className="row">
				<Button onPress={reloadPage}>Load it now</Button>
			</div>
		</div>
	);
}
