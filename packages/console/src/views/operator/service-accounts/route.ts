import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";

export const serviceAccountsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "service-accounts",
	component: lazyRouteComponent(() => import("./view.tsx"), "ServiceAccounts"),
});
