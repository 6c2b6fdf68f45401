import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";

export const domainDetailsRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "domains/$id",
	...lazyView("Domain", () => import("./view.tsx"), "DomainDetails"),
});
