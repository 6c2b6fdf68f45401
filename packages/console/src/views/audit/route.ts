import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const auditRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "audit",
	validateSearch: textSearch("actor", "action"),
	...lazyView("Audit", () => import("./view.tsx"), "Audit"),
});
