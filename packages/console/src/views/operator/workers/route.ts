import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const workersRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "workers",
	validateSearch: textSearch("state"),
	...lazyView("Workers", () => import("./view.tsx"), "Workers"),
});
