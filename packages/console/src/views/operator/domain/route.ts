import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const domainDetailsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "domains/$id",
	component: lazyRouteComponent(() => import("./view.tsx"), "DomainDetails"),
});
