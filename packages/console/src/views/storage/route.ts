import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const storageRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "storage",
	component: lazyRouteComponent(() => import("./view.tsx"), "Storage"),
});
