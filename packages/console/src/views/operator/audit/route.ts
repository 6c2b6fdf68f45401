import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const auditLogRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "audit",
	validateSearch: textSearch("domain", "actor", "action"),
	component: lazyRouteComponent(() => import("./view.tsx"), "AuditLog"),
});
