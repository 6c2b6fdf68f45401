import type { ErrorComponentProps } from "@tanstack/react-router";
import { Page } from "../components/page.tsx";
import { Problem } from "../components/problem.tsx";

/** What stands in a view's place if its code failed, or its file could not be loaded: a new version may be out. */
export function ViewFailed({ error }: ErrorComponentProps) {
	return (
		<Page title="This page failed">
			<Problem error={error} onRetry={() => window.location.reload()} />
		</Page>
	);
}
