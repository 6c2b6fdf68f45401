import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const domainsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "domains",
	component: lazyRouteComponent(() => import("./view.tsx"), "Domains"),
});
