import { Navigate } from "@tanstack/react-router";
import { useSession } from "../api/session.tsx";
import { Empty } from "../components/empty.tsx";
import { Page } from "../components/page.tsx";
import { lastDomain } from "./last-domain.ts";

/** Where `/console/` leads: to the domain that was looked at last, or the first; an admin without one to the domains. */
export function Home() {
	const { account, domains } = useSession();
	const domain = domains.find(({ slug }) => slug === lastDomain()) ?? domains[0];
	if (domain) return <Navigate to="/d/$domain" params={{ domain: domain.slug }} replace />;
	if (account.role === "admin") return <Navigate to="/operator/domains" replace />;
	return (
		<Page title="Welcome">
			<Empty title="You have no domain yet">
				<p>Ask an admin of this installation to give your account access to one, then reload this page.</p>
			</Empty>
		</Page>
	);
}
