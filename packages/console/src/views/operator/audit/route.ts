import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const auditLogRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "audit",
	validateSearch: textSearch("domain", "actor", "action"),
	...lazyView("Audit log", () => import("./view.tsx"), "AuditLog"),
});
