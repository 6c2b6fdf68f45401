import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";

export const domainsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "domains",
	...lazyView("Domains", () => import("./view.tsx"), "Domains"),
});
