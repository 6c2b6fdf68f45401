import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../loading/lazy-view.tsx";
import { domainRoute } from "../../routes/domain.tsx";
import { textSearch } from "../../routes/text-search.ts";

export const deliveryRoute = createRoute({
	getParentRoute: () => domainRoute,
	path: "webhooks/$id",
	validateSearch: textSearch("attempt"),
	...lazyView("Delivery", () => import("./view.tsx"), "Delivery"),
});
