import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const usageRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "usage",
	validateSearch: textSearch("days"),
	...lazyView("Usage", () => import("./view.tsx"), "Usage"),
});
