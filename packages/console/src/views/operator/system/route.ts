import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const systemRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "system",
	component: lazyRouteComponent(() => import("./view.tsx"), "System"),
});
