import { Outlet } from "@tanstack/react-router";
import { ApiProvider } from "../api/api.tsx";
import { useIsAdmin } from "../api/session.tsx";
import { Missing } from "./missing.tsx";

/** The views of the installation. Members find nothing there, as the API tells them too. */
export function OperatorFrame() {
	if (!useIsAdmin()) return <Missing />;
	return (
		<ApiProvider domainId={null}>
			<Outlet />
		</ApiProvider>
	);
}
