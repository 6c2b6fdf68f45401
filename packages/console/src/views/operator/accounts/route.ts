import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const accountsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "accounts",
	component: lazyRouteComponent(() => import("./view.tsx"), "Accounts"),
});
