import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useMatches, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { isSessionEnd } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.tsx";
import { Problem } from "../components/problem.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { Frame } from "./frame.tsx";
import { FrontDoor } from "./front-door.tsx";

/**
 * Lets nobody past who is not signed in, and brings those who were back to the same URL afterwards. A session that ends
 * while the page is open ends here too. What is matched decides, and not the address: the address is the next view's
 * already while the one before still stands.
 */
export function Root() {
	const { data: session, error, refetch } = useQuery(sessionQuery);
	const isSigningIn = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === "/sign-in") });
	if (isSigningIn) return <Outlet />;
	if (isSessionEnd(error)) return <ToSignIn reason="disabled" />;
	if (session === null) return <ToSignIn />;
	if (session !== undefined)
		return (
			<Frame>
				<Outlet />
			</Frame>
		);
	return (
		<FrontDoor title="Reelmill">
			{error === null ? <Skeleton lines={3} /> : <Problem error={error} onRetry={() => void refetch()} />}
		</FrontDoor>
	);
}

/** Goes to the sign-in page once, with the way back to where the person is now. */
function ToSignIn({ reason }: { reason?: string }) {
	const { href } = useLocation();
	const navigate = useNavigate();
	// biome-ignore lint/correctness/useExhaustiveDependencies: The address changes while it goes.
	useEffect(() => {
		const back = href === "/" ? {} : { back: href };
		void navigate({ to: "/sign-in", search: { ...back, ...(reason && { reason }) }, replace: true });
	}, []);
	return (
		<FrontDoor title="Reelmill">
			<Skeleton lines={3} />
		</FrontDoor>
	);
}
