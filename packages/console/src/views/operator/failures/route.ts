import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const failuresRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "failures",
	validateSearch: textSearch("days", "reason"),
	...lazyView("Failures", () => import("./view.tsx"), "Failures"),
});
