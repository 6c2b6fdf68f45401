import { Empty } from "../../components/empty.tsx";
import { Page } from "../../components/page.tsx";

export function Video() {
	return (
		<Page title="Video">
			<Empty title="This view is not built yet">
				<p>The API has what belongs here.</p>
			</Empty>
		</Page>
	);
}
