import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../../loading/lazy-view.tsx";
import { operatorRoute } from "../../../routes/operator.tsx";
import { textSearch } from "../../../routes/text-search.ts";

export const queueRoute = createRoute({
	getParentRoute: () => operatorRoute,
	path: "queue",
	validateSearch: textSearch("domain", "state"),
	...lazyView("Queue", () => import("./view.tsx"), "Queue"),
});
