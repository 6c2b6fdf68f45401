import { useParams } from "@tanstack/react-router";
import { type SessionDomain, useSession } from "../api/session.tsx";
import { lastDomain } from "./last-domain.ts";

/** The domain of the URL; in the operator's views the one that was looked at last. Undefined if there is none. */
export function useCurrentDomain(): SessionDomain | undefined {
	const { domains } = useSession();
	const { domain } = useParams({ strict: false });
	const slug = domain ?? lastDomain();
	return domains.find((each) => each.slug === slug || each.id === slug) ?? domains[0];
}
