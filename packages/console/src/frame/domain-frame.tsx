import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet } from "@tanstack/react-router";
import { createContext, useContext, useEffect } from "react";
import { ApiProvider } from "../api/api.tsx";
import { createCaller } from "../api/client.ts";
import { type SessionDomain, useSession } from "../api/session.tsx";
import { Empty } from "../components/empty.tsx";
import { Page } from "../components/page.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { rememberDomain } from "./last-domain.ts";

const route = getRouteApi("/d/$domain");
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DomainContext = createContext<SessionDomain | null>(null);

/** The domain of the view: its id and its slug. */
export function useDomain(): SessionDomain {
	const domain = useContext(DomainContext);
	if (domain === null) throw new Error("useDomain belongs into the views of a domain.");
	return domain;
}

/** Gives a domain's views their domain, found by the slug in the URL among those that the person may see. */
export function DomainFrame() {
	const { domain: slug } = route.useParams();
	const { domain, isLooking } = useNamedDomain(slug);
	useEffect(() => {
		if (domain) rememberDomain(domain.slug);
	}, [domain]);
	if (isLooking)
		return (
			<Page title="Domain">
				<Skeleton />
			</Page>
		);
	if (domain === undefined) return <NoSuchDomain slug={slug} />;
	return (
		<DomainContext value={domain}>
			<ApiProvider key={domain.id} domainId={domain.id}>
				<Outlet />
			</ApiProvider>
		</DomainContext>
	);
}

/**
 * Finds a domain by its slug or its id. A session lists a thousand domains at most; an admin finds each further one by
 * its id, as the operator's list of domains links it.
 */
function useNamedDomain(name: string): { domain: SessionDomain | undefined; isLooking: boolean } {
	const { account, domains } = useSession();
	const listed = domains.find((each) => each.slug === name || each.id === name);
	const mayLook = listed === undefined && account.role === "admin" && uuid.test(name);
	const { data, isLoading } = useQuery({
		queryKey: [null, "getAdminDomain", { params: { id: name } }],
		queryFn: ({ signal }) => createCaller(null)("getAdminDomain", { params: { id: name } }, { signal }),
		enabled: mayLook,
	});
	return { domain: listed ?? (mayLook ? data : undefined), isLooking: mayLook && isLoading };
}

const NoSuchDomain = ({ slug }: { slug: string }) => (
	<Page title="Not found">
		<Empty title={`You see no domain "${slug}"`}>
			<p>It may have been renamed, or you have no access to it yet.</p>
		</Empty>
	</Page>
);
