import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const systemRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "system",
	validateSearch: textSearch("settings"),
	...lazyView("System", () => import("./view.tsx"), "System"),
});
