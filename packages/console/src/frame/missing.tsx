import { Link } from "@tanstack/react-router";
import { Empty } from "../components/empty.tsx";
import { Page } from "../components/page.tsx";

/** What a URL shows that leads nowhere. */
export function Missing() {
	return (
		<Page title="Not found">
			<Empty title="There is no such page">
				<p>The address may be mistyped, or what it led to is gone.</p>
				<Link to="/">Go to the overview</Link>
			</Empty>
		</Page>
	);
}
