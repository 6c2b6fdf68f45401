import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";

export const accountsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "accounts",
	...lazyView("Accounts", () => import("./view.tsx"), "Accounts"),
});
