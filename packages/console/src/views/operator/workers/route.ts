import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const workersRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "workers",
	component: lazyRouteComponent(() => import("./view.tsx"), "Workers"),
});
