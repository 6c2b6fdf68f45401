import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { isSessionEnd } from "../api/query-client.ts";
import { sessionQuery } from "../api/session.tsx";
import { Problem } from "../components/problem.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { Frame } from "./frame.tsx";
import { FrontDoor } from "./front-door.tsx";

/**
 * Lets nobody past who is not signed in, and brings those who were back to the same URL afterwards. A session that ends
 * while the page is open ends here too.
 */
export function Root() {
	const { data: session, error, refetch } = useQuery(sessionQuery);
	const { pathname, href } = useLocation();
	if (pathname === "/sign-in") return <Outlet />;
	if (isSessionEnd(error)) return <Navigate to="/sign-in" search={{ back: href, reason: "disabled" }} replace />;
	if (session === null) return <Navigate to="/sign-in" search={href === "/" ? {} : { back: href }} replace />;
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
