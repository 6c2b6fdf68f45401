import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";

export const serviceAccountsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "service-accounts",
	...lazyView("Service accounts", () => import("./view.tsx"), "ServiceAccounts"),
});
