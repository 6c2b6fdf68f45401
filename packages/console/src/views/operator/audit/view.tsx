import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";

export function AuditLog() {
	return (
		<Page title="Audit log">
			<Empty title="This view is not built yet">
				<p>The API has what belongs here.</p>
			</Empty>
		</Page>
	);
}
