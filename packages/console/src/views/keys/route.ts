import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";

export const keysRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "keys",
	component: lazyRouteComponent(() => import("./view.tsx"), "Keys"),
});
