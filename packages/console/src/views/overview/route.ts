import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const overviewRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "/",
	component: lazyRouteComponent(() => import("./view.tsx"), "Overview"),
});
