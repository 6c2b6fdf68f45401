import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const auditRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "audit",
	validateSearch: textSearch("actor", "action"),
	component: lazyRouteComponent(() => import("./view.tsx"), "Audit"),
});
